import type { LoadedDataConverter } from '@temporalio/common'
import { loadDataConverter } from '@temporalio/common/lib/internal-non-workflow/data-converter-helpers.js'
import type { JsonObject } from '../contract/json.js'
import type { Agent } from '../definition/define-agent.js'
import { checkConverter } from './check-converter.js'
import { type Drift, findDrift } from './drift.js'
import { type RecordedRun, type RecordedTranscript, readRun } from './read-run.js'
import { createReplayer, type Replayer, type ReplayerOptions } from './replayer.js'
import type { RunHistory } from './run-history.js'
import { type StepRequestOptions, stepRequest } from './step-request.js'
import type { Verdict } from './verdict.js'
import type { RunEnd } from './why-ended.js'

/** Options of {@link replayRun}. */
export interface ReplayOptions extends ReplayerOptions {
  /** The agents of today: what changed in the run's since is told. @default not compared */
  readonly agents?: readonly Agent[] | undefined
  /** The name under which today's workers have the model that an agent names. @default the same */
  readonly modelName?: ((name: string) => string) | undefined
  /** For many histories: made once, and closed by the caller. @default one of its own */
  readonly replayer?: Replayer | undefined
}

/** What a replay tells. */
export interface RunReplay extends RecordedTranscript {
  readonly id: string
  readonly verdict: Verdict
  /** The version of the loop that began the run; null: before it was recorded. */
  readonly loopVersion: number | null
  readonly executions: number
  readonly events: number
  readonly end: RunEnd
  /** What of the agent's definition is not as it was recorded; null when it was not compared. */
  readonly drift: readonly Drift[] | null
}

/**
 * Runs a recorded history through today's workflow code, and tells the run as it happened. Needs no server,
 * calls no model and no tool, and changes nothing.
 *
 * @throws MissingConverterError when the history was written through a codec that is not given
 * @throws SdkMismatchError
 */
export async function replayRun(
  history: RunHistory,
  options: ReplayOptions = {},
): Promise<RunReplay> {
  const { agents, modelName, dataConverter } = options
  const run = await read(history, loadDataConverter(dataConverter))
  const replayer = options.replayer ?? createReplayer(options)
  try {
    const verdict = await replayer.check(history)
    const { manifest, transcript, end, context } = run
    const agent = agents?.find(({ name }) => name === manifest?.agent)
    const drift =
      manifest === null || agent === undefined
        ? null
        : await findDrift(manifest, agent, { context, modelName })
    return {
      ...transcript,
      id: history.id,
      verdict,
      loopVersion: manifest?.loopVersion ?? null,
      executions: history.executions.length,
      events: history.executions.reduce((sum, { events }) => sum + events.length, 0),
      end,
      drift,
    }
  } finally {
    if (options.replayer === undefined) await replayer.close()
  }
}

/**
 * The request of one step of a recorded run, as its model's server got it: the body of a chat completions
 * request, to be sent again with curl.
 *
 * @throws RebuildError when the run did not come to the step
 * @throws MissingConverterError
 */
export async function replayRequest(
  history: RunHistory,
  { dataConverter, ...options }: StepRequestOptions & Pick<ReplayOptions, 'dataConverter'>,
): Promise<JsonObject> {
  const { record } = await read(history, loadDataConverter(dataConverter))
  return await stepRequest(record, options)
}

async function read(history: RunHistory, converter: LoadedDataConverter): Promise<RecordedRun> {
  await checkConverter(history, converter)
  return await readRun(history, converter)
}
