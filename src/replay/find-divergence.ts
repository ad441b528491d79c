import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  bundleWorkflowCode,
  DefaultLogger,
  type InjectedSinks,
  type ReplayWorkerOptions,
  Worker,
  type WorkflowBundleWithSourceMap,
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

/** Finds the event and the line of code where a history and the code part. */
export type FindDivergence = (
  execution: RecordedExecution,
  workflowId: string,
) => Promise<Divergence>

/**
 * The SDK tells neither event nor line. So a history that diverged is run once more, with workflows that
 * are bundled beside what traces their commands; the bundle takes seconds and is made once.
 */
export function createDivergenceFinder(options: Partial<ReplayWorkerOptions>): FindDivergence {
  // Nothing can be added to a bundle that is made.
  if (options.workflowBundle !== undefined) return async () => UNKNOWN
  let bundle: Promise<WorkflowBundleWithSourceMap> | undefined
  return async (execution, workflowId) => {
    try {
      bundle ??= tracedBundle(options)
      const { bundlerOptions: _, workflowsPath: __, ...rest } = options
      const made = await trace(execution, workflowId, { ...rest, workflowBundle: await bundle })
      return divergenceOf(execution, made)
    } catch {
      // Where webpack is missing: what the SDK says must do.
      return UNKNOWN
    }
  }
}

async function tracedBundle({
  workflowsPath = WORKFLOWS,
  bundlerOptions,
  dataConverter,
}: Partial<ReplayWorkerOptions>): Promise<WorkflowBundleWithSourceMap> {
  const { payloadConverterPath, failureConverterPath } = dataConverter ?? {}
  return await bundleWorkflowCode({
    logger: new DefaultLogger('ERROR'),
    ...bundlerOptions,
    workflowsPath,
    workflowInterceptorModules: [TRACER],
    ...(payloadConverterPath === undefined ? {} : { payloadConverterPath }),
    ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
  })
}

async function trace(
  { events }: RecordedExecution,
  workflowId: string,
  options: ReplayWorkerOptions,
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
  // It fails as it did before.
  await Worker.runReplayHistory({ ...options, sinks }, { events: [...events] }, workflowId).catch(
    () => {},
  )
  return made
}

function divergenceOf(execution: RecordedExecution, made: readonly TracedCommand[]): Divergence {
  const difference = firstDifference(execution.events, made)
  if (difference === null) return UNKNOWN
  const { event, recorded, wanted, stack } = difference
  return {
    event: event === null ? null : { ...event, runId: execution.runId },
    recorded,
    wanted,
    at: codePlaces(stack),
  }
}
