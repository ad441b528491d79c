import { randomUUID } from 'node:crypto'
import type { temporal } from '@temporalio/proto'
import { AgentClient } from '../../src/client.js'
import { startModelServer } from '../../src/testing/index.js'
import { createWorker, openAIModel } from '../../src/worker.js'
import { type Ledger, nextReply, runOf, stormAgent } from './agent.js'
import { faultReply, modelFault, type Weather } from './faults.js'

type HistoryEvent = temporal.api.history.v1.IHistoryEvent

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

interface Outcome {
  readonly end: string
  readonly events: readonly HistoryEvent[]
  readonly resends: number
}

async function runAll(client: AgentClient, options: StormOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let next = 0
  const work = async (): Promise<void> => {
    while (next < options.runs) {
      const outcome = await runOne(client, `run ${++next}`)
      outcomes.push(outcome)
      if (outcomes.length % 20 === 0) options.log?.(`${outcomes.length} of ${options.runs} runs`)
    }
  }
  await Promise.all(Array.from({ length: options.atOnce }, work))
  return outcomes
}

async function runOne(client: AgentClient, input: string): Promise<Outcome> {
  const run = await client.start('storm', { input })
  const end = await run.result().then(
    ({ stopReason }) => stopReason,
    (error: { reason?: string; name: string }) => error.reason ?? error.name,
  )
  const { events } = await client.client.workflow.getHandle(run.id).fetchHistory()
  const steps = await run.steps()
  const resends = steps.reduce((sum, { adapted }) => sum + adapted.length, 0)
  return { end, events: events ?? [], resends }
}

function count(outcomes: readonly Outcome[]) {
  const ends: Record<string, number> = {}
  let workflowTaskFailures = 0
  let attempts = 0
  let resends = 0
  for (const outcome of outcomes) {
    ends[outcome.end] = (ends[outcome.end] ?? 0) + 1
    resends += outcome.resends
    const calls = new Set<string>()
    for (const event of outcome.events) {
      if (event.workflowTaskFailedEventAttributes) workflowTaskFailures++
      if (event.activityTaskScheduledEventAttributes?.activityType?.name === 'callModel') {
        calls.add(String(event.eventId))
      }
      const started = event.activityTaskStartedEventAttributes
      if (started && calls.has(String(started.scheduledEventId))) attempts += started.attempt ?? 1
    }
  }
  return { runs: outcomes.length, ends, workflowTaskFailures, attempts, resends }
}
