// How long a long run takes to replay, and how much memory: npm run long-replay -- <steps> (default 1000).
// Makes the run first, as a chain over continue-as-new, on a server of its own with a model that costs no
// time; that takes a minute. What is measured is `perdure replay` of the package, on its export.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { NativeConnection } from '@temporalio/worker'
import { AgentClient } from '../../src/client.js'
import { serverConfig } from '../../src/config.js'
import { exportRun, fetchHistory, type RunHistory, type RunReplay } from '../../src/replay.js'
import {
  type ChatRequest,
  callTool,
  say,
  startDevServer,
  startModelServer,
} from '../../src/testing/index.js'
import { createWorker, openAIModel } from '../../src/worker.js'
import { testAgent } from '../kit/agents.js'
import { installQuietRuntime } from '../kit/quiet-runtime.js'

const steps = Number(process.argv[2] ?? 1_000)
const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** One run of so many steps. */
async function recordedRun(): Promise<RunHistory> {
  installQuietRuntime()
  const { path, dir } = serverConfig()
  const server = await startDevServer({ path, dir, headless: true })
  let asked = 0
  const model = await startModelServer({
    // Without tools it is asked for a summary.
    respond: ({ tools }: ChatRequest) => {
      if (tools === undefined) return say('A summary of all that was looked up.')
      return ++asked < steps ? callTool('lookup', { id: `A${asked}` }) : say('done')
    },
  })
  const connection = await NativeConnection.connect({ address: server.address })
  const worker = await createWorker({
    agents: [testAgent({ limits: { maxSteps: steps } })],
    model: openAIModel({ baseURL: model.url }),
    connection,
    taskQueue: 'long',
  })
  const running = worker.run()
  const client = await AgentClient.connect({ address: server.address, taskQueue: 'long' })
  try {
    const run = await client.start('test-agent', { input: 'Go' })
    await run.result()
    return await fetchHistory(client.client, run.id)
  } finally {
    worker.shutdown()
    await running
    await connection.close()
    await client.close()
    await model.close()
    await server.kill()
  }
}

/** What a process used at most and in all, written to stderr when it ends. */
const MEASURE =
  'data:text/javascript,process.on("exit",()=>process.stderr.write(JSON.stringify(process.resourceUsage())))'

const folder = await mkdtemp(join(tmpdir(), 'perdure-long-'))
try {
  const history = await recordedRun()
  const file = join(folder, 'run.json')
  const text = JSON.stringify(await exportRun(history))
  await writeFile(file, text)
  const startedAt = performance.now()
  const command = ['--import', MEASURE, CLI, 'replay', file, '--json']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, {
    maxBuffer: 1_000_000_000,
  })
  const seconds = (performance.now() - startedAt) / 1_000
  const told = JSON.parse(stdout) as RunReplay
  const used = JSON.parse(stderr) as NodeJS.ResourceUsage
  const cpu = (used.userCPUTime + used.systemCPUTime) / 1e6
  process.stdout.write(
    `${told.steps.length} steps, ${told.events} events in ${told.executions} executions, ${(text.length / 1e6).toFixed(1)} MB of JSON: ${told.verdict.kind}
perdure replay: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU, ${Math.round(used.maxRSS / 1_000)} MB at most
`,
  )
} finally {
  await rm(folder, { recursive: true })
}
