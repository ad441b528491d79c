import { readFileSync } from 'node:fs'
import { type ReplayWorkerOptions, Worker } from '@temporalio/worker'
import type { RecordedExecution } from './run-history.js'

/** One of Temporal's replay workers, fed with one history at a time. */
export interface ReplayWorker {
  /** Resolves with the SDK's error, if there is one. */
  replay(execution: RecordedExecution, workflowId: string): Promise<Error | undefined>
  close(): Promise<void>
}

/** Opens a worker; it starts with the first history. */
export function openReplayWorker(options: ReplayWorkerOptions): ReplayWorker {
  const queue: {
    workflowId: string
    history: { events: RecordedExecution['events'][number][] }
  }[] = []
  async function* histories() {
    // The SDK asks for the next one when somebody asks for its result: it is there by then.
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) yield next
  }
  let results: ReturnType<typeof Worker.runReplayHistories> | undefined
  return {
    replay: async ({ events }, workflowId) => {
      queue.push({ workflowId, history: { events: [...events] } })
      results ??= Worker.runReplayHistories(options, histories())
      const { done, value } = await results.next()
      // No verdict is none: a worker that ended has not seen the history.
      if (done) throw new Error('The replay worker ended before the history was replayed.')
      return value.error
    },
    close: async () => {
      await results?.return?.(undefined)
    },
  }
}

/**
 * The same workflows without stack traces. On replay the SDK takes one for every promise, a quarter of all
 * the work, and nobody reads them until something fails.
 */
export function withoutStacks(options: ReplayWorkerOptions): ReplayWorkerOptions {
  const { workflowBundle } = options
  if (workflowBundle === undefined) return options
  const code =
    'code' in workflowBundle ? workflowBundle.code : readFileSync(workflowBundle.codePath, 'utf8')
  // On the first line: the source map counts them.
  return { ...options, workflowBundle: { code: `Error.stackTraceLimit = 0; ${code}` } }
}
