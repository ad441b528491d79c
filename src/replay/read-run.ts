import type { LoadedDataConverter } from '@temporalio/common'
import { placeKey, type RunRecord } from '../agent/run-record.js'
import { RunRecorder } from '../client/history/run-record.js'
import type { Step } from '../client/history/step.js'
import { StepReader } from '../client/history/step-reader.js'
import type { JsonObject } from '../contract/json.js'
import type { Manifest } from '../contract/manifest.js'
import { type PromptSize, promptSizes } from './prompt-sizes.js'
import { allEvents, type RunHistory } from './run-history.js'
import { type RunEnd, whyEnded } from './why-ended.js'

/** One step of a recorded run. */
export interface RecordedStep extends Step {
  /** What the model was asked; null where it cannot be rebuilt. */
  readonly prompt: PromptSize | null
}

/** What a history tells of a run. */
export interface RecordedRun {
  readonly record: RunRecord
  readonly steps: readonly RecordedStep[]
  readonly end: RunEnd
  /** The definition of the newest turn; null when the run did not come to have one. */
  readonly manifest: Manifest | null
  readonly context: JsonObject | null
}

/** Reads what happened in a run from its history. */
export async function readRun(
  history: RunHistory,
  converter: LoadedDataConverter,
): Promise<RecordedRun> {
  const events = allEvents(history)
  const reader = new StepReader(converter)
  const recorder = new RunRecorder(converter)
  for (const event of events) {
    await reader.take(event)
    await recorder.take(event)
  }
  const { record } = recorder
  const sizes = await promptSizes(record)
  const steps = reader.steps.map((step) => ({ ...step, prompt: sizes.get(placeKey(step)) ?? null }))
  const start = record.executions.at(-1)?.start
  const state = start !== undefined && 'state' in start ? start.state : start
  return {
    record,
    steps,
    end: await whyEnded(events, steps, converter),
    manifest: state?.manifest ?? null,
    context: state?.context ?? null,
  }
}
