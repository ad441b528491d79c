import { randomUUID } from 'node:crypto'
import { AgentClient } from '../../src/client.js'
import { startModelServer } from '../../src/testing/index.js'
import { createWorker, openAIModel } from '../../src/worker.js'
import { type RunFigures, runFigures } from '../kit/run-figures.js'
import { type Ledger, nextReply, runOf, stormAgent } from './agent.js'
import { faultReply, modelFault, type Weather } from './faults.js'

/** What a storm is made of. */
export interface StormOptions extends Weather {
  readonly address: string
  readonly runs: number
  /** Runs at once. */
  readonly atOnce: number
  readonly log?: (line: string) => void
  readonly workflowBundle?: { readonly codePath: string }
}

/** What came of it. */
export interface StormFigures {
  readonly runs: number
  /** Runs by stop reason, or by the reason of their failure. */
  readonly ends: Readonly<Record<string, number>>
  readonly workflowTaskFailures: number
  /** Executions of write tools beyond one a call. */
  readonly doubled: number
  readonly requests: number
  /** Attempts at model calls in the histories. */
  readonly attempts: number
  /** Resends in the histories, of requests with a refused parameter. */
  readonly resends: number
  readonly faults: Readonly<Record<string, number>>
  readonly seconds: number
}

/** Runs agents in a storm of faults, and counts. */
export async function storm(options: StormOptions): Promise<StormFigures> {
  const ledger: Ledger = new Map()
  const attempts = new Map<string, number>()
  const faults: Record<string, number> = {}
  const model = await startModelServer({
    respond: (request) => {
      const call = `${runOf(request)}/${request.messages.length}`
      const attempt = (attempts.get(call) ?? 0) + 1
      attempts.set(call, attempt)
      const fault = modelFault(options, call, attempt)
      if (fault === null) return nextReply(request)
      faults[fault] = (faults[fault] ?? 0) + 1
      return faultReply(fault)
    },
  })
  const worker = await createWorker({
    agents: [stormAgent(options, ledger)],
    model: openAIModel({ baseURL: model.url, idleTimeoutMs: 500 }),
    address: options.address,
    taskQueue: `storm-${randomUUID()}`,
    ...(options.workflowBundle === undefined
      ? {}
      : { worker: { workflowBundle: options.workflowBundle } }),
  })
  const running = worker.run()
  const { address } = options
  const client = await AgentClient.connect({ address, taskQueue: worker.taskQueue })
  const started = Date.now()
  try {
    const outcomes = await runAll(client, options)
    return {
      ...count(outcomes),
      doubled: [...ledger.values()].reduce((sum, times) => sum + times - 1, 0),
      requests: model.requests.length,
      faults,
      seconds: (Date.now() - started) / 1_000,
    }
  } finally {
    worker.shutdown()
    await running
    await client.close()
    await model.close()
  }
}

async function runAll(client: AgentClient, options: StormOptions): Promise<RunFigures[]> {
  const outcomes: RunFigures[] = []
  let next = 0
  const work = async (): Promise<void> => {
    while (next < options.runs) {
      const { id } = await client.start('storm', { input: `run ${++next}` })
      outcomes.push(await runFigures(client, id))
      if (outcomes.length % 20 === 0) options.log?.(`${outcomes.length} of ${options.runs} runs`)
    }
  }
  await Promise.all(Array.from({ length: options.atOnce }, work))
  return outcomes
}

function count(outcomes: readonly RunFigures[]) {
  const ends: Record<string, number> = {}
  const sum = { workflowTaskFailures: 0, attempts: 0, resends: 0 }
  for (const { end, workflowTaskFailures, attempts, resends } of outcomes) {
    ends[end] = (ends[end] ?? 0) + 1
    sum.workflowTaskFailures += workflowTaskFailures
    sum.attempts += attempts
    sum.resends += resends
  }
  return { runs: outcomes.length, ends, ...sum }
}
