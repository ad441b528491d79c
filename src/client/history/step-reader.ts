import type { LoadedDataConverter, Payload } from '@temporalio/common'
import { tsToMs } from '@temporalio/common/lib/time.js'
import type { CallModelInput, ToolCallInput, ToolOutcome } from '../../contract/activities.js'
import { isObject } from '../../contract/json.js'
import type { ModelReply } from '../../contract/reply.js'
import { decodeFirst } from './decode.js'
import type { HistoryEvent } from './read-events.js'
import type { Step, StepCall } from './step.js'

/** An activity that was scheduled and whose end has not been read yet. */
interface Pending {
  readonly type: string
  readonly input: CallModelInput | ToolCallInput
  readonly scheduledMs: number
  attempts: number
}

/** How an activity ended. */
interface End {
  readonly result: unknown
  /** Null when it succeeded. */
  readonly failure: string | null
  readonly ms: number
  readonly attempts: number
}

/** Activities that ask the model and are no steps. */
const ASIDE = new Set<string>(['chooseStrategy'])

/** Builds the steps of a run from its history events, taken one after the other. */
export class StepReader {
  readonly #converter: LoadedDataConverter
  readonly #pending = new Map<string, Pending>()
  readonly #steps = new Map<string, Step>()
  #model = ''

  constructor(converter: LoadedDataConverter) {
    this.#converter = converter
  }

  /** The steps so far, in order. */
  get steps(): Step[] {
    return [...this.#steps.values()]
  }

  /** Takes one event of the chain; returns the step that it changed, if any. */
  async take(event: HistoryEvent): Promise<Step | null> {
    const { activityTaskScheduledEventAttributes: scheduled } = event
    await this.#readManifest(event)
    if (scheduled) return await this.#schedule(event, scheduled)
    const started = event.activityTaskStartedEventAttributes
    if (started) {
      const pending = this.#pending.get(String(started.scheduledEventId))
      if (pending) pending.attempts = started.attempt ?? 1
      return null
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
    if (isObject(state) && typeof state['model'] === 'string') this.#model = state['model']
  }

  async #schedule(
    event: HistoryEvent,
    { activityType, input }: NonNullable<HistoryEvent['activityTaskScheduledEventAttributes']>,
  ): Promise<Step | null> {
    const value = await decodeFirst(this.#converter, input?.payloads as Payload[] | undefined)
    const type = activityType?.name ?? ''
    if (ASIDE.has(type) || !isStepInput(value)) return null
    const scheduledMs = tsToMs(event.eventTime)
    this.#pending.set(String(event.eventId), { type, input: value, scheduledMs, attempts: 0 })
    if ('call' in value) return null
    const before = this.#steps.get(key(value))
    return this.#put({
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
  }

  async #end(event: HistoryEvent): Promise<Step | null> {
    const completed = event.activityTaskCompletedEventAttributes
    const failed =
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.activityTaskCanceledEventAttributes
    const id = String((completed ?? failed)?.scheduledEventId ?? '')
    const pending = this.#pending.get(id)
    if (pending === undefined) return null
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
    if (step === undefined) return null
    return this.#put('call' in input ? withCall(step, input, end) : withReply(step, end))
  }

  #put(step: Step): Step {
    this.#steps.set(key(step), step)
    return step
  }
}

function withReply(step: Step, { result, failure, ms, attempts }: End): Step {
  if (failure !== null) return { ...step, status: 'failed', text: failure, ms, attempts }
  const reply = result as ModelReply
  // Calls of a forced, refused or filtered reply are not run.
  const ended = step.forced || (reply.finish !== 'stop' && reply.finish !== 'length')
  const calls = ended ? [] : reply.calls.map(startCall)
  const status = calls.some((call) => call.status === 'running') ? 'calling_tools' : 'done'
  const { text, tokens, adapted = [] } = reply
  return { ...step, status, text, tokens, adapted, calls, ms, attempts }
}

function startCall({ name, args, problem }: ModelReply['calls'][number]): StepCall {
  const call = { name, args, attempts: 0 }
  return problem === undefined
    ? { ...call, status: 'running', observation: '', ms: null }
    : { ...call, status: 'refused', observation: problem, ms: 0 }
}

function withCall(step: Step, { call }: ToolCallInput, end: End): Step {
  const calls = step.calls.map((old, i) => (i === call - 1 ? endCall(old, end) : old))
  const open = calls.some(({ status }) => status === 'running')
  return { ...step, calls, status: open ? 'calling_tools' : 'done' }
}

function endCall(call: StepCall, { result, failure, ms, attempts }: End): StepCall {
  if (failure !== null) return { ...call, status: 'error', observation: failure, ms, attempts }
  const { text, error } = result as ToolOutcome
  return { ...call, status: error ? 'error' : 'ok', observation: text, ms, attempts }
}

function isStepInput(value: unknown): value is CallModelInput | ToolCallInput {
  return isObject(value) && typeof value['turn'] === 'number' && typeof value['step'] === 'number'
}

function key({ turn, step }: { readonly turn: number; readonly step: number }): string {
  return `${turn}.${step}`
}
