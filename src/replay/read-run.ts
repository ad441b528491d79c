import type { LoadedDataConverter } from '@temporalio/common'
import { placeKey, type RunRecord } from '../agent/run-record.js'
import { RunRecorder } from '../client/history/run-record.js'
import type { Step } from '../client/history/step.js'
import { readTranscript, type Transcript } from '../client/history/transcript.js'
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

/** A run as it happened. */
export interface RecordedTranscript extends Transcript {
  readonly steps: readonly RecordedStep[]
}

/** What a history tells of a run. */
export interface RecordedRun {
  readonly record: RunRecord
  readonly transcript: RecordedTranscript
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
  const recorder = new RunRecorder(converter)
  for (const event of events) await recorder.take(event)
  const { record } = recorder
  const sizes = await promptSizes(record)
  const read = await readTranscript(oneByOne(events), converter, {})
  const steps = read.steps.map((step) => ({ ...step, prompt: sizes.get(placeKey(step)) ?? null }))
  const transcript = { ...read, steps }
  const start = record.executions.at(-1)?.start
  const state = start !== undefined && 'state' in start ? start.state : start
  return {
    record,
    transcript,
    end: await whyEnded(events, transcript, converter),
    manifest: state?.manifest ?? null,
    context: state?.context ?? null,
  }
}

async function* oneByOne<T>(list: readonly T[]): AsyncGenerator<T, void> {
  yield* list
}
