import type { LoadedDataConverter, Payload } from '@temporalio/common'
import { notRunText } from '../../agent/dry-calls.js'
import {
  type CallModelInput,
  DRY,
  NOTHING_KEPT,
  OVER_LIMIT,
  type SummarizeInput,
  type ToolCallInput,
} from '../../contract/activities.js'
import { isObject } from '../../contract/json.js'
import { callId } from '../../contract/messages.js'
import { NO_REST, type Rest } from '../../contract/read-more.js'
import { remoteObservation } from '../../contract/remote-result.js'
import type { ModelReply } from '../../contract/reply.js'
import { type ActivityEvent, ActivityReader } from './activity-reader.js'
import type { Aside } from './aside.js'
import { AsideReader } from './aside-reader.js'
import { decodeFirst, PLAIN } from './decode.js'
import { DefinitionReader } from './definition-reader.js'
import { decideCall, type End, endCall, runCall, withCall, withReply } from './finish-step.js'
import {
  isPlace,
  type LocalFailure,
  localFailure,
  localFigures,
  type Place,
  withFailures,
} from './local-marker.js'
import { MessageCount } from './message-count.js'
import type { HistoryEvent } from './read-events.js'
import type { Step, StepCall } from './step.js'
import { stepCost } from './step-cost.js'

/** What one event changed. */
export type TranscriptChange =
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'aside'; readonly aside: Aside }

/** Builds the steps of a run from its history events, taken one after the other. */
export class StepReader {
  readonly definition: DefinitionReader
  readonly #converter: LoadedDataConverter
  readonly #activities: ActivityReader
  readonly #asides: AsideReader
  readonly #messages = new MessageCount()
  /** As their own events tell them: failures of local tools are put in when they are shown. */
  readonly #steps = new Map<string, Step>()
  readonly #failures = new Map<string, LocalFailure[]>()
  /** What was cut from observations, by the id of their call. */
  readonly #rests = new Map<string, Rest>()

  constructor(converter: LoadedDataConverter) {
    this.#converter = converter
    this.definition = new DefinitionReader(converter)
    this.#activities = new ActivityReader(converter)
    this.#asides = new AsideReader(this.definition)
  }

  /** The steps so far, in order. */
  get steps(): Step[] {
    return [...this.#steps.values()].map((step) => this.#shown(step))
  }

  /** The model calls so far that are no steps, in order. */
  get asides(): Aside[] {
    return this.#asides.asides
  }

  /** Takes one event of the chain; returns the steps that it changed, if any. */
  async take(event: HistoryEvent): Promise<Step[]> {
    const changes = await this.read(event)
    return changes.flatMap((change) => (change.kind === 'step' ? [change.step] : []))
  }

  /** Takes one event of the chain; returns what it changed, if anything. */
  async read(event: HistoryEvent): Promise<TranscriptChange[]> {
    await this.definition.take(event)
    if (event.workflowExecutionStartedEventAttributes) this.#asides.beginExecution()
    if (event.markerRecordedEventAttributes) return (await this.#endLocal(event)).map(asChange)
    const activity = await this.#activities.take(event)
    if (activity === undefined) return []
    if (this.#asides.isAside(activity)) return this.#takeAside(activity)
    const { input, end } = activity
    if (!isStepInput(input)) return []
    const steps = end === undefined ? this.#schedule(input, activity) : this.#end(input, end)
    return steps.map(asChange)
  }

  #takeAside(activity: ActivityEvent): TranscriptChange[] {
    const aside = this.#asides.take(activity)
    if (aside === undefined) return []
    if (aside.kind === 'summary' && activity.end === undefined) {
      this.#messages.summary(activity.input as SummarizeInput)
    }
    return [{ kind: 'aside', aside }]
  }

  #schedule(input: CallModelInput | ToolCallInput, { scheduledMs }: ActivityEvent): Step[] {
    if ('call' in input) return this.#run(input)
    const reused = this.#reuse(input)
    const before = this.#steps.get(key(input))
    const step = this.#put({
      turn: input.turn,
      model: input.model ?? this.definition.model,
      failedModels: before === undefined ? [] : [...before.failedModels, before.model],
      dropped: before?.dropped ?? this.#messages.call(input),
      adapted: [],
      step: input.step,
      forced: input.forced === true,
      strategy: input.strategy ?? null,
      status: 'calling_model',
      text: '',
      finish: null,
      calls: [],
      tokens: null,
      costUsd: null,
      startedAt: new Date(scheduledMs),
      attempts: 0,
      retryCause: null,
      ms: null,
    })
    return [...reused, step]
  }

  #end(input: CallModelInput | ToolCallInput, end: End): Step[] {
    const step = this.#steps.get(key(input))
    if (step === undefined) return []
    if (!('call' in input)) return [this.#endModelCall(step, end)]
    this.#keepRest(input, end.result)
    // Only a remote tool is sent its key; what it returned became text in the workflow.
    const result =
      input.idempotencyKey === undefined ? end.result : { text: remoteObservation(end.result) }
    return [this.#put(withCall(step, input.call, (call) => endCall(call, { ...end, result })))]
  }

  #endModelCall(before: Step, end: End): Step {
    if (end.failure === null) this.#messages.reply(end.result as ModelReply)
    const step = withReply(before, end, this.#rests)
    return this.#put({ ...step, costUsd: stepCost(this.definition, step.model, step.tokens) })
  }

  /** A tool that ran as a local activity: its marker holds the result, and says whose it is. */
  async #endLocal(event: HistoryEvent): Promise<Step[]> {
    const { details, failure } = event.markerRecordedEventAttributes ?? {}
    const result = await decodeFirst(this.#converter, details?.['result']?.payloads as Payload[])
    // Temporal's own, which no codec has seen.
    const data = await decodeFirst(PLAIN, details?.['data']?.payloads as Payload[])
    const end: End = { result, failure: failure?.message ?? null, ...localFigures(result, data) }
    if (failure) return this.#failLocal(data, end)
    const place = isObject(result) && isPlace(result['at']) ? result['at'] : null
    const step = place === null ? undefined : this.#steps.get(key(place))
    if (step === undefined || place === null) return []
    this.#keepRest(place, result)
    return [this.#put(withCall(step, place.call, (call) => endCall(call, end)))]
  }

  /** Steps come one after the other, so it is one of the newest. */
  #failLocal(data: unknown, end: End): Step[] {
    const step = [...this.#steps.values()].at(-1)
    const failed = localFailure(data, end)
    const isTool = step?.calls.some(({ name }) => this.definition.typeOf(name) === failed?.type)
    if (step === undefined || failed === null || !isTool) return []
    this.#failures.set(key(step), [...(this.#failures.get(key(step)) ?? []), failed])
    return [this.#shown(step)]
  }

  /** A call that waited for a person may run. */
  #run(input: ToolCallInput): Step[] {
    const step = this.#steps.get(key(input))
    if (step?.calls[input.call - 1]?.status !== 'waiting') return []
    return [this.#put(withCall(step, input.call, runCall))]
  }

  /** Calls of the step before that were answered without an activity, or decided by a person. */
  #reuse({ turn, step, reused = {}, decided = {} }: CallModelInput): Step[] {
    const found = this.#steps.get(key({ turn, step: step - 1 }))
    if (found === undefined || Object.keys({ ...reused, ...decided }).length === 0) return []
    const before = Object.entries(decided).reduce(
      (all, [place, decision]) =>
        withCall(all, Number(place), (call) => decideCall(call, decision)),
      found,
    )
    const changed = Object.entries(reused).reduce(
      (all, [place, source]) =>
        withCall(all, Number(place), (call) => ({
          ...call,
          ...this.#answerOf(source, call),
          ms: 0,
        })),
      before,
    )
    return [this.#put(changed)]
  }

  #answerOf(source: string, { name }: StepCall): Pick<StepCall, 'status' | 'observation'> {
    const [kind, recorded = ''] = source.split(':')
    if (kind === DRY) {
      const observation = this.definition.dry[recorded]?.text ?? notRunText(name)
      return { status: 'dry', observation }
    }
    if (source === OVER_LIMIT) {
      return {
        status: 'refused',
        observation: 'Not run: the tool was called as often as it may be.',
      }
    }
    if (source === NOTHING_KEPT) return { status: 'error', observation: NO_REST }
    const [turn = 0, step = 0, call = 1] = source.split('.').map(Number)
    const found = this.#steps.get(key({ turn, step }))?.calls[call - 1]
    return { status: 'cached', observation: found?.observation ?? '' }
  }

  #keepRest({ turn, step, call }: Place, result: unknown): void {
    if (!isObject(result) || typeof result['rest'] !== 'string') return
    const chars = typeof result['cut'] === 'number' ? result['cut'] : result['rest'].length
    this.#rests.set(callId(turn, step, call), { text: result['rest'], chars })
  }

  #shown(step: Step): Step {
    const failures = this.#failures.get(key(step)) ?? []
    return withFailures(step, failures, (tool) => this.definition.typeOf(tool))
  }

  #put(step: Step): Step {
    this.#steps.set(key(step), step)
    return this.#shown(step)
  }
}

function asChange(step: Step): TranscriptChange {
  return { kind: 'step', step }
}

function isStepInput(value: unknown): value is CallModelInput | ToolCallInput {
  return isObject(value) && typeof value['turn'] === 'number' && typeof value['step'] === 'number'
}

function key({ turn, step }: { readonly turn: number; readonly step: number }): string {
  return `${turn}.${step}`
}
