import {
  defaultFailureConverter,
  defaultPayloadConverter,
  type LoadedDataConverter,
  type Payload,
} from '@temporalio/common'
import { tsToMs } from '@temporalio/common/lib/time.js'
import {
  type CallModelInput,
  NOTHING_KEPT,
  OVER_LIMIT,
  type ToolCallInput,
} from '../../contract/activities.js'
import { isObject } from '../../contract/json.js'
import type { Manifest } from '../../contract/manifest.js'
import { callId } from '../../contract/messages.js'
import { NO_REST, type Rest } from '../../contract/read-more.js'
import { remoteObservation } from '../../contract/remote-result.js'
import { decodeFirst } from './decode.js'
import { type End, endCall, withCall, withReply } from './finish-step.js'
import { isPlace, localFigures, type Place } from './local-marker.js'
import type { HistoryEvent } from './read-events.js'
import type { Step, StepCall } from './step.js'

/** An activity that was scheduled and whose end has not been read yet. */
interface Pending {
  readonly type: string
  readonly input: CallModelInput | ToolCallInput
  readonly scheduledMs: number
  attempts: number
}

/** Activities that ask the model and are no steps. */
const ASIDE = new Set<string>(['chooseStrategy', 'summarize'])

/** For what Temporal itself writes. */
const PLAIN: LoadedDataConverter = {
  payloadConverter: defaultPayloadConverter,
  failureConverter: defaultFailureConverter,
  payloadCodecs: [],
}

/** Builds the steps of a run from its history events, taken one after the other. */
export class StepReader {
  readonly #converter: LoadedDataConverter
  readonly #pending = new Map<string, Pending>()
  readonly #steps = new Map<string, Step>()
  /** What was cut from observations, by the id of their call. */
  readonly #rests = new Map<string, Rest>()
  /** Activity types by the names of tools. */
  #types = new Map<string, string>()
  #model = ''

  constructor(converter: LoadedDataConverter) {
    this.#converter = converter
  }

  /** The steps so far, in order. */
  get steps(): Step[] {
    return [...this.#steps.values()]
  }

  /** Takes one event of the chain; returns the steps that it changed, if any. */
  async take(event: HistoryEvent): Promise<Step[]> {
    const { activityTaskScheduledEventAttributes: scheduled } = event
    await this.#readManifest(event)
    if (event.markerRecordedEventAttributes) return await this.#endLocal(event)
    if (scheduled) return await this.#schedule(event, scheduled)
    const started = event.activityTaskStartedEventAttributes
    if (started) {
      const pending = this.#pending.get(String(started.scheduledEventId))
      if (pending) pending.attempts = started.attempt ?? 1
      return []
    }
    return await this.#end(event)
  }

  /** The definition is in the marker of prepareTurn, or in the state that an execution begins with. */
  async #readManifest(event: HistoryEvent): Promise<void> {
    const started = event.workflowExecutionStartedEventAttributes
    const marker = event.markerRecordedEventAttributes
    const payloads = marker?.details?.['result']?.payloads ?? started?.input?.payloads
    if (started) this.#pending.clear()
    if (payloads === undefined || payloads === null) return
    const value = await decodeFirst(this.#converter, payloads as Payload[])
    const state = isObject(value) && isObject(value['state']) ? value['state']['manifest'] : value
    if (!isObject(state) || typeof state['model'] !== 'string') return
    this.#model = state['model']
    const tools = (state as unknown as Manifest).tools ?? []
    this.#types = new Map(tools.map(({ name, activityType }) => [name, activityType]))
  }

  async #schedule(
    event: HistoryEvent,
    { activityType, input }: NonNullable<HistoryEvent['activityTaskScheduledEventAttributes']>,
  ): Promise<Step[]> {
    const value = await decodeFirst(this.#converter, input?.payloads as Payload[] | undefined)
    const type = activityType?.name ?? ''
    if (ASIDE.has(type) || !isStepInput(value)) return []
    const scheduledMs = tsToMs(event.eventTime)
    this.#pending.set(String(event.eventId), { type, input: value, scheduledMs, attempts: 0 })
    if ('call' in value) return []
    const reused = this.#reuse(value)
    const before = this.#steps.get(key(value))
    const step = this.#put({
      turn: value.turn,
      model: value.model ?? this.#model,
      failedModels: before === undefined ? [] : [...before.failedModels, before.model],
      adapted: [],
      step: value.step,
      forced: value.forced === true,
      strategy: value.strategy ?? null,
      status: 'calling_model',
      text: '',
      calls: [],
      tokens: null,
      startedAt: new Date(scheduledMs),
      attempts: 0,
      ms: null,
    })
    return [...reused, step]
  }

  async #end(event: HistoryEvent): Promise<Step[]> {
    const completed = event.activityTaskCompletedEventAttributes
    const failed =
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.activityTaskCanceledEventAttributes
    const id = String((completed ?? failed)?.scheduledEventId ?? '')
    const pending = this.#pending.get(id)
    if (pending === undefined) return []
    this.#pending.delete(id)
    const failure = failed && 'failure' in failed ? failed.failure : undefined
    const end: End = {
      result: await decodeFirst(this.#converter, completed?.result?.payloads as Payload[]),
      failure: completed ? null : (failure?.cause?.message ?? failure?.message ?? 'cancelled'),
      ms: tsToMs(event.eventTime) - pending.scheduledMs,
      attempts: pending.attempts,
    }
    const { input } = pending
    const step = this.#steps.get(key(input))
    if (step === undefined) return []
    if (!('call' in input)) return [this.#put(withReply(step, end, this.#rests))]
    this.#keepRest(input, end.result)
    // Only a remote tool is sent its key; what it returned became text in the workflow.
    const result =
      input.idempotencyKey === undefined ? end.result : { text: remoteObservation(end.result) }
    return [this.#put(withCall(step, input.call, (call) => endCall(call, { ...end, result })))]
  }

  /** A tool that ran as a local activity: its marker holds the result, and says whose it is. */
  async #endLocal(event: HistoryEvent): Promise<Step[]> {
    const { details, failure } = event.markerRecordedEventAttributes ?? {}
    const result = await decodeFirst(this.#converter, details?.['result']?.payloads as Payload[])
    // Temporal's own, which no codec has seen.
    const data = await decodeFirst(PLAIN, details?.['data']?.payloads as Payload[])
    const place = isObject(result) && isPlace(result['at']) ? result['at'] : this.#failedLocal(data)
    const step = place === undefined ? undefined : this.#steps.get(key(place))
    if (step === undefined || place === undefined) return []
    if (failure === null || failure === undefined) this.#keepRest(place, result)
    const end: End = { result, failure: failure?.message ?? null, ...localFigures(data) }
    return [this.#put(withCall(step, place.call, (call) => endCall(call, end)))]
  }

  /** The marker of a failure tells the tool alone: its first call that has no end yet. */
  #failedLocal(data: unknown): Place | undefined {
    const type = isObject(data) ? data['activity_type'] : undefined
    const step = this.steps.findLast(({ status }) => status === 'calling_tools')
    const index = step?.calls.findIndex(
      ({ name, status }) => status === 'running' && (this.#types.get(name) ?? name) === type,
    )
    if (step === undefined || index === undefined || index < 0) return undefined
    return { turn: step.turn, step: step.step, call: index + 1 }
  }

  /** Calls of the step before that were answered without an activity. */
  #reuse({ turn, step, reused = {} }: CallModelInput): Step[] {
    const before = this.#steps.get(key({ turn, step: step - 1 }))
    if (before === undefined || Object.keys(reused).length === 0) return []
    const changed = Object.entries(reused).reduce(
      (all, [place, source]) =>
        withCall(all, Number(place), (call) => ({ ...call, ...this.#answerOf(source), ms: 0 })),
      before,
    )
    return [this.#put(changed)]
  }

  #answerOf(source: string): Pick<StepCall, 'status' | 'observation'> {
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

  #put(step: Step): Step {
    this.#steps.set(key(step), step)
    return step
  }
}

function isStepInput(value: unknown): value is CallModelInput | ToolCallInput {
  return isObject(value) && typeof value['turn'] === 'number' && typeof value['step'] === 'number'
}

function key({ turn, step }: { readonly turn: number; readonly step: number }): string {
  return `${turn}.${step}`
}
