// npm run test:real-model: runs against llama.cpp's own server with a small real model. Not in CI: the
// server is compiled for minutes. What is shown: whatever such a model does, a run ends with its reason.
import { randomUUID } from 'node:crypto'
import { AgentClient } from '../../src/client.js'
import { environmentVariable, serverConfig } from '../../src/config.js'
import { startDevServer } from '../../src/testing/index.js'
import { createWorker } from '../../src/worker.js'
import { installQuietRuntime } from '../kit/quiet-runtime.js'
import { modelRegistry, planRuns } from './agents.js'
import { installRealModel } from './install.js'
import { startLlamaServer } from './llama-server.js'
import { countEnds, type TrialRow, tableHead, tableRow, tryRun } from './trial.js'

const RUNS = 20

async function main(): Promise<void> {
  installQuietRuntime()
  const count = Number(environmentVariable('PERDURE_REAL_MODEL_RUNS') ?? RUNS)
  if (!(count > 0)) throw new Error('PERDURE_REAL_MODEL_RUNS must be a number above 0.')
  const log = (line: string) => process.stderr.write(`${line}\n`)
  const model = await installRealModel(log)
  log("starting llama.cpp's server…")
  const llama = await startLlamaServer(model)
  log(`llama.cpp's server is process ${llama.pid}, at ${llama.baseURL}`)
  try {
    const { path, dir } = serverConfig()
    const temporal = await startDevServer({ path, dir, headless: true, log })
    try {
      const rows = await trial(temporal.address, llama.baseURL, count)
      print(`\n${rows.length} runs: ${countEnds(rows)}.`)
      const attempts = rows.reduce((sum, { figures }) => sum + (figures?.attempts ?? 0), 0)
      print(`${llama.requests()} requests, ${attempts} attempts in the histories.`)
      const dishonest = rows.filter(({ honest }) => !honest).length
      print(
        dishonest === 0 ? 'Each ended with its reason.' : `${dishonest} ended without a reason.`,
      )
      if (rows.length < count || dishonest > 0) process.exitCode = 1
    } finally {
      await temporal.kill()
    }
  } catch (error) {
    log(`the end of what llama.cpp's server said:\n${llama.tail()}`)
    throw error
  } finally {
    await llama.stop()
  }
}

async function trial(address: string, baseURL: string, count: number): Promise<TrialRow[]> {
  const plan = planRuns(count)
  const worker = await createWorker({
    agents: [...new Set(plan.map(({ agent }) => agent))],
    models: modelRegistry(baseURL),
    address,
    taskQueue: `real-model-${randomUUID()}`,
  })
  const running = worker.run()
  const client = await AgentClient.connect({ address, taskQueue: worker.taskQueue })
  try {
    print(tableHead())
    const rows: TrialRow[] = []
    // One after the other: the server drops the stream that it is at for the next request.
    for (const planned of plan) {
      const row = await tryRun(client, planned)
      rows.push(row)
      print(tableRow(rows.length, row))
    }
    return rows
  } finally {
    worker.shutdown()
    await running
    await client.close()
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

await main()
