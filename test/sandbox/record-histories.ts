// Records golden histories: npm run record-histories -- <name>… (all without a name). Needed for a new
// kind of run, or when a change needs patched(); then keep the old files under names of their own, they
// must replay too.
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { AgentClient } from '../../src/client.js'
import { serverConfig } from '../../src/config.js'
import { type DevServer, startDevServer, startModelServer } from '../../src/testing/index.js'
import { createWorker, openAIModel } from '../../src/worker.js'
import { historyToJson } from '../kit/history-json.js'
import { installQuietRuntime } from '../kit/quiet-runtime.js'
import type { Scenario } from './scenario.js'
import { SCENARIOS } from './scenarios.js'

const FOLDER = fileURLToPath(new URL('./histories/', import.meta.url))
/** In the place of process id and host name. */
const IDENTITY = 'golden'

async function main(): Promise<void> {
  installQuietRuntime()
  const { path, dir } = serverConfig()
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 40 }
  const server = await startDevServer({ path, dir, headless: true, dynamicConfig })
  try {
    await mkdir(FOLDER, { recursive: true })
    const only = process.argv.slice(2)
    for (const [name, scenario] of Object.entries(SCENARIOS)) {
      if (only.length === 0 || only.includes(name)) await record(name, scenario, server)
    }
  } finally {
    await server.kill()
  }
}

async function record(name: string, scenario: Scenario, { address }: DevServer): Promise<void> {
  const model = await startModelServer(scenario.model)
  const connection = await NativeConnection.connect({ address })
  const worker = await createWorker({
    agents: scenario.agents,
    model: openAIModel({ baseURL: model.url }),
    connection,
    taskQueue: name,
    heartbeatTimeout: '2s',
    ...(scenario.artifacts === undefined ? {} : { artifacts: scenario.artifacts }),
    worker: { identity: IDENTITY, activities: scenario.activities ?? {} },
  })
  const running = worker.run()
  const temporal = new Client({
    connection: await Connection.connect({ address }),
    identity: IDENTITY,
  })
  const client = await AgentClient.connect({ client: temporal, taskQueue: name })
  if (scenario.session === undefined) {
    const run = await client.start(scenario.agent ?? 'test-agent', { input: 'Go', id: name })
    await scenario.during?.(run, model)
    await run.result().catch(() => {})
  } else {
    const session = await client.session(scenario.agent ?? 'test-agent', { id: name })
    await scenario.session(session, model)
    await session.close()
    await temporal.workflow.getHandle(name).result()
  }
  const fork = scenario.fork && (await client.fork(name, { id: `${name}-fork`, ...scenario.fork }))
  await fork?.result()
  const recorded = fork?.id ?? name
  let files = 0
  for (const runId of await executions(temporal, recorded)) {
    const history = await temporal.workflow.getHandle(recorded, runId).fetchHistory()
    const file = files++ === 0 ? name : `${name}-${files}`
    await writeFile(`${FOLDER}${file}.json`, toText(historyToJson(history)))
  }
  process.stdout.write(`${name}: ${files} ${files === 1 ? 'history' : 'histories'}\n`)
  worker.shutdown()
  await running
  await connection.close()
  await temporal.connection.close()
  await model.close()
}

/** Without stack traces: they hold paths of this machine, and replay does not look at them. */
function toText(history: unknown): string {
  const json = JSON.stringify(
    history,
    (key, value: unknown) => (key === 'stackTrace' ? undefined : value),
    1,
  )
  return `${json}\n`
}

/** The run ids of a chain, the first execution first. */
async function executions(client: Client, workflowId: string): Promise<string[]> {
  const { runId } = await client.workflow.getHandle(workflowId).describe()
  const ids = [runId]
  for (;;) {
    const { events } = await client.workflow.getHandle(workflowId, ids[0]).fetchHistory()
    const before = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId
    if (!before) return ids
    ids.unshift(before)
  }
}

await main()
