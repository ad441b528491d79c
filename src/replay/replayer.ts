import type { DataConverter } from '@temporalio/common'
import { type ReplayWorkerOptions, Worker } from '@temporalio/worker'
import { bundleConfig } from '../config.js'
import { workflowSource } from '../worker/workflow-source.js'
import { createDivergenceFinder } from './find-divergence.js'
import { readReplayError } from './read-replay-error.js'
import type { RecordedExecution, RunHistory } from './run-history.js'
import type { Verdict } from './verdict.js'

/** What runs recorded histories through today's workflow code. */
export interface ReplayerOptions {
  /** The converter and codecs of the workers. @default Temporal's JSON */
  readonly dataConverter?: DataConverter | undefined
  /** Workflows of your own, where agents run inside of them. @default perdure's */
  readonly worker?:
    | Pick<ReplayWorkerOptions, 'bundlerOptions' | 'workflowBundle' | 'workflowsPath'>
    | undefined
  /** As the worker's option. @default PERDURE_BUNDLE, else 'prebuilt' */
  readonly bundle?: 'prebuilt' | 'build' | undefined
}

/** Checks histories, one after the other, with one worker that connects to nothing. */
export interface Replayer {
  /** Whether today's workflow code makes what is recorded. */
  check(history: RunHistory): Promise<Verdict>
  /** Ends the worker. */
  close(): Promise<void>
}

/**
 * Opens a replayer: for many histories it is quicker than a replay of each.
 *
 * @throws SdkMismatchError when the installed version of Temporal's SDK does not fit
 */
export function createReplayer(options: ReplayerOptions = {}): Replayer {
  const { dataConverter, worker, bundle = bundleConfig() } = options
  const own = { ...worker, ...(dataConverter === undefined ? {} : { dataConverter }) }
  const findDivergence = createDivergenceFinder(own)
  const { replay, close } = openWorker({
    ...own,
    ...workflowSource({ bundle, dataConverter, worker }),
  } as ReplayWorkerOptions)
  return {
    close,
    check: async ({ id, executions }) => {
      for (const execution of executions) {
        const error = await replay(execution, id)
        if (error === undefined) continue
        const { isThrown, message, at } = readReplayError(error)
        if (isThrown) return { kind: 'code_error', message, at }
        return { kind: 'diverged', message, ...(await findDivergence(execution, id)) }
      }
      return { kind: 'deterministic' }
    },
  }
}

/** Feeds one worker with a history at a time; the SDK takes them from an iterable. */
function openWorker(options: ReplayWorkerOptions): {
  /** Resolves with the SDK's error, if there is one. */
  replay(execution: RecordedExecution, workflowId: string): Promise<Error | undefined>
  close(): Promise<void>
} {
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
      const { value } = await results.next()
      return value?.error
    },
    close: async () => {
      await results?.return?.(undefined)
    },
  }
}
