import type { LoadedDataConverter } from '@temporalio/common'
import { costOfUsage } from '../../contract/price.js'
import type { TokenCount, Usage } from '../../contract/reply.js'
import { addUsage, NO_USAGE } from '../../contract/usage.js'
import type { Aside } from './aside.js'
import type { HistoryEvent } from './read-events.js'
import type { Step } from './step.js'
import { StepReader, type TranscriptChange } from './step-reader.js'

/** Temporal's causes of failed workflow tasks that are no fault of the code: newer events came in, a reset. */
export const NO_FAULT: ReadonlySet<unknown> = new Set([1, 20])

/** What a run begins with. */
export interface Opening {
  /** The name of the agent; '' where the history does not tell. */
  readonly agent: string
  /** The agent's first model; '' before it is known. */
  readonly model: string
  /** The user's message; null where the history does not tell. */
  readonly question: string | null
}

/** A whole run, as its history tells it. */
export interface Transcript extends Opening {
  /** In order. */
  readonly steps: readonly Step[]
  /** Model calls that are no steps, in order: the choice of a strategy, summaries. */
  readonly asides: readonly Aside[]
  /** What all model calls used that were answered so far. */
  readonly usage: Usage
  readonly usageByModel: Readonly<Record<string, Usage>>
  /** US dollars by the prices that the worker had; null when a model that answered has none. */
  readonly costUsd: number | null
  /**
   * Why the workflow code fails, over and over: a bug, or code that does not fit the history. The run goes
   * on by itself once a worker has code that works. Null when it does not.
   */
  readonly stuck: string | null
}

/** How to read a transcript. */
export interface TranscriptOptions {
  /** True: waits until the run has ended. @default false */
  readonly follow?: boolean
  /** Ends the reading: what was read by then is the transcript. */
  readonly signal?: AbortSignal
  /** Called in order with each step and each aside whenever it changes. */
  readonly onChange?: (change: TranscriptChange, opening: Opening) => void
}

/** Reads a transcript from the events of a run. */
export async function readTranscript(
  events: AsyncIterable<HistoryEvent>,
  converter: LoadedDataConverter,
  { signal, onChange }: TranscriptOptions,
): Promise<Transcript> {
  const reader = new StepReader(converter)
  let stuck: string | null = null
  try {
    for await (const event of events) {
      stuck = stuckAfter(event, stuck)
      const changes = await reader.read(event)
      for (const change of changes) onChange?.(change, reader.definition)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
  return { ...transcriptOf(reader), stuck }
}

function stuckAfter(event: HistoryEvent, before: string | null): string | null {
  if (event.workflowTaskCompletedEventAttributes) return null
  const failed = event.workflowTaskFailedEventAttributes
  return failed && !NO_FAULT.has(failed.cause) ? (failed.failure?.message ?? before) : before
}

function transcriptOf({ definition, steps, asides }: StepReader): Omit<Transcript, 'stuck'> {
  const { agent, model, question, manifest = {} } = definition
  const calls = [
    ...steps.filter(({ finish }) => finish !== null),
    ...asides.filter(({ status }) => status === 'done'),
  ]
  const usageByModel = sumByModel(calls)
  return {
    agent,
    model,
    question,
    steps,
    asides,
    usage: calls.reduce(addUsage, NO_USAGE),
    usageByModel,
    costUsd: costOfUsage(manifest, usageByModel),
  }
}

function sumByModel(
  calls: readonly { readonly model: string; readonly tokens: TokenCount | null }[],
): Record<string, Usage> {
  // A Map, so that a model named constructor is a name like any other.
  const sums = new Map<string, Usage>()
  for (const call of calls) {
    sums.set(call.model, addUsage(sums.get(call.model) ?? NO_USAGE, call))
  }
  return Object.fromEntries(sums)
}
