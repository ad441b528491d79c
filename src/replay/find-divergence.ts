import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  DefaultLogger,
  type InjectedSinks,
  type ReplayWorkerOptions,
  Worker,
} from '@temporalio/worker'
import { codePlaces } from './code-places.js'
import { firstDifference } from './first-difference.js'
import type { RecordedExecution } from './run-history.js'
import type { TracedCommand, TraceSinks } from './sandbox/trace-commands.js'
import type { Divergence } from './verdict.js'

const EXTENSION = extname(import.meta.url)
const TRACER = fileURLToPath(new URL(`./sandbox/trace-commands${EXTENSION}`, import.meta.url))
const WORKFLOWS = fileURLToPath(new URL(`../workflows/index${EXTENSION}`, import.meta.url))

const UNKNOWN: Divergence = { event: null, recorded: null, wanted: null, at: [] }

/**
 * Finds the event and the line of code where a history and the code part: runs it once more, with the
 * workflows bundled anew beside what traces their commands. That takes seconds, and the SDK tells neither.
 */
export async function findDivergence(
  execution: RecordedExecution,
  workflowId: string,
  options: Partial<ReplayWorkerOptions>,
): Promise<Divergence> {
  // Nothing can be added to a bundle that is made.
  if (options.workflowBundle !== undefined) return UNKNOWN
  const made = await trace(execution, workflowId, options).catch(() => null)
  const difference = made === null ? null : firstDifference(execution.events, made)
  if (difference === null) return UNKNOWN
  const { event, recorded, wanted, stack } = difference
  return {
    event: event === null ? null : { ...event, runId: execution.runId },
    recorded,
    wanted,
    at: codePlaces(stack),
  }
}

async function trace(
  { events }: RecordedExecution,
  workflowId: string,
  options: Partial<ReplayWorkerOptions>,
): Promise<TracedCommand[]> {
  const made: TracedCommand[] = []
  const sinks: InjectedSinks<TraceSinks> = {
    perdureTrace: {
      commands: {
        fn: (_info, commands) => {
          made.push(...commands)
        },
        callDuringReplay: true,
      },
    },
  }
  const replay = Worker.runReplayHistory(
    {
      ...options,
      workflowsPath: options.workflowsPath ?? WORKFLOWS,
      bundlerOptions: { logger: new DefaultLogger('ERROR'), ...options.bundlerOptions },
      interceptors: { workflowModules: [TRACER] },
      sinks,
    } as ReplayWorkerOptions,
    { events: [...events] },
    workflowId,
  )
  await replay.catch(() => {})
  return made
}
