// A session of many turns: npm run long-session -- <turns> (default 3000). On a server of its own, with a
// model that costs no time; each question must get its own answer, in order, over all continue-as-new.
import { NativeConnection } from '@temporalio/worker'
import { readChain } from '../../src/client/history/chain.js'
import { AgentClient } from '../../src/client.js'
import { serverConfig } from '../../src/config.js'
import { type ChatRequest, say, startDevServer, startModelServer } from '../../src/testing/index.js'
import { createWorker, openAIModel } from '../../src/worker.js'
import { testAgent } from '../kit/agents.js'
import { installQuietRuntime } from '../kit/quiet-runtime.js'

const TURNS = Number(process.argv[2] ?? 3_000)
/** Turns in one line of progress, and in one figure of time. */
const PART = 250

function lastWords({ messages }: ChatRequest): string {
  return `${messages.at(-1)?.content}`
}

async function play(client: AgentClient, asked: () => number): Promise<string[]> {
  const session = await client.session('test-agent', { id: 'long' })
  const faults: string[] = []
  const times: number[] = []
  for (let n = 1; n <= TURNS; n++) {
    const startedAt = performance.now()
    const { answer, turn } = await session.ask(`q${n}`, { requestId: `r${n}` })
    times.push(performance.now() - startedAt)
    if (turn !== n || answer !== `answer to q${n}`) faults.push(`turn ${n}: ${turn} ${answer}`)
    if (n % PART === 0) {
      const part = times.slice(-PART).toSorted((a, b) => a - b)
      const rss = Math.round(process.memoryUsage.rss() / 1_000_000)
      process.stderr.write(`${n} turns, ${part[PART / 2]?.toFixed(1)} ms each, ${rss} MB\n`)
    }
  }
  // The last 1,000 ids are known, whatever execution was asked.
  const before = asked()
  for (let n = Math.max(1, TURNS - 999); n <= TURNS; n += 100) {
    const { turn } = await session.submit(`q${n}`, { requestId: `r${n}` })
    if (turn !== n) faults.push(`request r${n} was asked again, as turn ${turn}`)
  }
  if (asked() !== before) faults.push('a request that was known reached the model')
  await session.close()
  await client.client.workflow.getHandle('long').result()
  return faults
}

async function executions({ client }: AgentClient): Promise<number> {
  const { runId } = await client.workflow.getHandle('long').describe()
  let count = 0
  const events = readChain(client, { workflowId: 'long', runId, follow: false })
  for await (const event of events) if (event.workflowExecutionStartedEventAttributes) count++
  return count
}

async function main(): Promise<void> {
  installQuietRuntime()
  const { path, dir } = serverConfig()
  const server = await startDevServer({ path, dir, headless: true })
  const model = await startModelServer({
    // Without tools it is asked for a summary.
    respond: (request) =>
      say(request.tools === undefined ? 'What was said.' : `answer to ${lastWords(request)}`),
  })
  const connection = await NativeConnection.connect({ address: server.address })
  const worker = await createWorker({
    agents: [testAgent()],
    model: openAIModel({ baseURL: model.url }),
    connection,
    taskQueue: 'long',
  })
  const running = worker.run()
  const client = await AgentClient.connect({ address: server.address, taskQueue: 'long' })
  try {
    const faults = await play(client, () => model.requests.length)
    for (const fault of faults.slice(0, 20)) process.stderr.write(`${fault}\n`)
    process.stdout.write(
      `${TURNS} turns in ${await executions(client)} executions: ${faults.length} faults\n`,
    )
    process.exitCode = faults.length === 0 ? 0 : 1
  } finally {
    worker.shutdown()
    await running
    await connection.close()
    await client.close()
    await model.close()
    await server.kill()
  }
}

await main()
