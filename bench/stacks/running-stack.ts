import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { AgentClient } from '../../src/client.js'
import type { Usage } from '../worker-host.js'
import { startWorkerProcess } from '../worker-process.js'
import { answerOf, questionFor } from '../workload.js'
import type { Stack } from './stack.js'

/** Milliseconds after which a run hangs: far more than any takes. */
const RUN_MS = 180_000

/** What one finished run was, by the server's own clock and count. */
interface FinishedRun {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly closedAt: number
  readonly historyBytes: number
  readonly historyEvents: number
}

/** A stack whose worker polls. */
export interface RunningStack {
  readonly name: string
  /** Runs the task once; throws unless its answer is right. */
  run(steps: number): Promise<FinishedRun>
  /** CPU time and memory of its worker process. */
  usage(): Promise<Usage>
  stop(): Promise<void>
}

/** Starts the worker of a stack on a task queue of its own. */
export async function startStack(
  stack: Stack,
  client: Client,
  address: string,
): Promise<RunningStack> {
  const taskQueue = `bench-${stack.name}`
  const agents = await AgentClient.connect({ client, taskQueue })
  const worker = await startWorkerProcess(stack.worker, { address, taskQueue })
  return {
    name: stack.name,
    usage: worker.usage,
    stop: worker.stop,
    run: async (steps) => {
      const id = `${stack.name}-${steps}-${randomUUID()}`
      await stack.start({ client, agents, taskQueue }, id, questionFor(steps))
      const handle = client.workflow.getHandle(id)
      const answer = stack.answer(await inTime(id, [handle.result(), worker.ended]))
      if (answer !== answerOf(steps)) {
        throw new Error(`${stack.name} answered ${JSON.stringify(answer)}`)
      }
      const { startTime, closeTime, historySize, historyLength } = await handle.describe()
      return {
        startedAt: startTime.getTime(),
        closedAt: closeTime?.getTime() ?? Number.NaN,
        historyBytes: historySize ?? Number.NaN,
        historyEvents: historyLength,
      }
    },
  }
}

/** The first of some promises; a model that throws would be asked again for ever. */
async function inTime<T>(what: string, promises: readonly Promise<T>[]): Promise<T> {
  const timer = new AbortController()
  const late = sleep(RUN_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${what} did not end within ${RUN_MS / 1_000} s`)
  })
  late.catch(() => {})
  try {
    return await Promise.race([...promises, late])
  } finally {
    timer.abort()
  }
}
