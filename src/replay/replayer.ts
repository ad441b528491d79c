import type { DataConverter } from '@temporalio/common'
import type { ReplayWorkerOptions } from '@temporalio/worker'
import { bundleConfig } from '../config.js'
import { workflowSource } from '../worker/workflow-source.js'
import { createDivergenceFinder } from './find-divergence.js'
import { readReplayError } from './read-replay-error.js'
import { openReplayWorker, withoutStacks } from './replay-worker.js'
import type { RunHistory } from './run-history.js'
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
  const whole = {
    ...own,
    ...workflowSource({ bundle, dataConverter, worker }),
  } as ReplayWorkerOptions
  const quick = openReplayWorker(withoutStacks(whole))
  // Only once something fails: the SDK's error then tells where.
  const telling = openReplayWorker(whole)
  const findDivergence = createDivergenceFinder(own)
  return {
    close: async () => {
      await quick.close()
      await telling.close()
    },
    check: async ({ id, executions }) => {
      for (const execution of executions) {
        const failed = await quick.replay(execution, id)
        if (failed === undefined) continue
        const { isThrown, message } = readReplayError(failed)
        if (!isThrown) {
          return { kind: 'diverged', message, ...(await findDivergence(execution, id)) }
        }
        const told = (await telling.replay(execution, id)) ?? failed
        return { kind: 'code_error', message, at: readReplayError(told).at }
      }
      return { kind: 'deterministic' }
    },
  }
}
