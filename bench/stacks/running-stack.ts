import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, WorkflowFailedError } from '@temporalio/client'
import type { AgentClient } from '../../src/client.js'
import type { Usage } from '../worker-host.js'
import type { WorkerProcess } from '../worker-process.js'
import type { Task } from '../workload.js'
import { type ChainFacts, readChain } from './chain.js'
import type { Stack } from './stack.js'

/** Milliseconds after which a run hangs, and what each step adds: far more than any takes. */
const RUN_MS = 180_000
const STEP_MS = 500

/** What one finished run was, by the server's own clock and count. */
interface FinishedRun extends ChainFacts {
  readonly id: string
}

/** How a run ended that may also be terminated. */
interface EndedRun extends FinishedRun {
  readonly answered: boolean
}

/** A stack whose worker polls. */
export interface RunningStack {
  readonly name: string
  /** On the stack's task queue. */
  readonly agents: AgentClient
  /** Runs a task once; throws unless its answer is right. */
  run(task: Task): Promise<FinishedRun>
  /** Runs a task that the server may end before it is done. */
  attempt(task: Task): Promise<EndedRun>
  /** CPU time and memory of its worker process. */
  usage(): Promise<Usage>
}

/** Where a stack runs. */
export interface StackPlace {
  readonly client: Client
  readonly agents: AgentClient
  readonly taskQueue: string
  readonly worker: WorkerProcess
}

/** A stack on a worker that polls `taskQueue`. */
export function runningStack(
  stack: Stack,
  { client, agents, taskQueue, worker }: StackPlace,
): RunningStack {
  const attempt = async (task: Task): Promise<EndedRun> => {
    const id = `${stack.name}-${task.name}-${randomUUID()}`.replaceAll(/[ ,]+/g, '-')
    await stack.start({ client, agents, taskQueue }, id, task.question)
    const result = client.workflow.getHandle(id).result().catch(endedByServer)
    const limitMs = RUN_MS + task.steps * STEP_MS
    const ended = await inTime(id, [result, worker.ended], limitMs)
    const answer = ended === ENDED ? ENDED : stack.answer(ended)
    if (answer !== ENDED && answer !== task.answer) {
      throw new Error(`${stack.name} answered ${JSON.stringify(answer)}`)
    }
    return { id, answered: answer !== ENDED, ...(await readChain(client, id)) }
  }
  return {
    name: stack.name,
    agents,
    usage: worker.usage,
    attempt,
    run: async (task) => {
      const { answered, ...run } = await attempt(task)
      if (answered) return run
      throw new Error(`${run.id} was ended by the server`)
    },
  }
}

/** In the place of the result of a run that the server ended. */
const ENDED = Symbol('ended by the server')

function endedByServer(error: unknown): typeof ENDED {
  if (error instanceof WorkflowFailedError) return ENDED
  throw error
}

/** The first of some promises; a model that throws would be asked again for ever. */
async function inTime<T>(
  what: string,
  promises: readonly Promise<T>[],
  limitMs: number,
): Promise<T> {
  const timer = new AbortController()
  const late = sleep(limitMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${what} did not end within ${limitMs / 1_000} s`)
  })
  late.catch(() => {})
  try {
    return await Promise.race([...promises, late])
  } finally {
    timer.abort()
  }
}
