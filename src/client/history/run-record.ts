import type { LoadedDataConverter, Payload } from '@temporalio/common'
import { carriedState } from '../../agent/fork.js'
import {
  beginOf,
  type Ending,
  type ExecutionRecord,
  placeKey,
  type RecordedModelCall,
  type RunRecord,
  unplacedKey,
} from '../../agent/run-record.js'
import type { TurnStart } from '../../agent/state.js'
import type {
  CallModelInput,
  StrategyChoice,
  Summary,
  ToolCallInput,
} from '../../contract/activities.js'
import { isObject } from '../../contract/json.js'
import type { Manifest } from '../../contract/manifest.js'
import { WORKFLOW_TYPE } from '../../contract/names.js'
import type { ModelReply } from '../../contract/reply.js'
import { decodeFirst, PLAIN } from './decode.js'
import { milliseconds } from './event-time.js'
import { isPlace, localFacts } from './local-marker.js'
import { failureOf, readFailedActivity } from './read-ending.js'
import type { HistoryEvent } from './read-events.js'
import { WorkflowClock } from './workflow-clock.js'

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** The record of an execution while it is read. */
interface Open extends Omit<ExecutionRecord, 'startedAt'> {
  startedAt: number
  readonly modelCalls: Map<string, Writable<RecordedModelCall>[]>
  readonly toolCalls: Map<string, Ending<unknown>>
  readonly unplaced: Map<string, Ending<never>[]>
  readonly choices: Map<number, Ending<StrategyChoice>>
  readonly summaries: Map<string, Ending<Summary>[]>
}

/** What ends when the activity does. */
type Pending = (ending: Ending<unknown>) => void

/** Builds the record of a run from the history events of its chain, taken one after the other. */
export class RunRecorder {
  readonly #converter: LoadedDataConverter
  readonly #executions: Open[] = []
  readonly #clock = new WorkflowClock()
  readonly #pending = new Map<string, Pending>()
  /** What a turn is started with, until its manifest is known. */
  #begun: Omit<TurnStart, 'manifest'> | undefined

  constructor(converter: LoadedDataConverter) {
    this.#converter = converter
  }

  /** What was read so far. Empty for a workflow of another type, and for a run whose definition is bad. */
  get record(): RunRecord {
    return { executions: this.#executions }
  }

  /** Takes the next event of the chain. */
  async take(event: HistoryEvent): Promise<void> {
    this.#clock.take(event)
    if (event.workflowExecutionStartedEventAttributes) return await this.#begin(event)
    if (event.markerRecordedEventAttributes) return await this.#endLocal(event)
    if (event.activityTaskScheduledEventAttributes) return await this.#schedule(event)
    await this.#end(event)
  }

  async #begin(event: HistoryEvent): Promise<void> {
    const attributes = event.workflowExecutionStartedEventAttributes ?? {}
    this.#pending.clear()
    this.#begun = undefined
    if (attributes.workflowType?.name !== WORKFLOW_TYPE) return
    const input = await this.#decode(attributes.input)
    if (!isObject(input)) return
    const state = carriedState(input, attributes.firstExecutionRunId ?? '')
    if (state !== undefined) {
      const execution = this.#open({ state }, event)
      this.#clock.whenHeard(event, (at) => {
        execution.startedAt = at
      })
      return
    }
    const { input: text, context } = input
    this.#begun = {
      input: typeof text === 'string' ? text : '',
      context: isObject(context) ? context : null,
      origin: attributes.firstExecutionRunId ?? '',
      turn: 1,
    }
  }

  #open(start: ExecutionRecord['start'], event: HistoryEvent): Open {
    const execution: Open = {
      start,
      startedAt: milliseconds(event.eventTime),
      modelCalls: new Map(),
      toolCalls: new Map(),
      unplaced: new Map(),
      choices: new Map(),
      summaries: new Map(),
    }
    this.#executions.push(execution)
    return execution
  }

  async #schedule(event: HistoryEvent): Promise<void> {
    const execution = this.#executions.at(-1)
    const { activityType, input } = event.activityTaskScheduledEventAttributes ?? {}
    const value = await this.#decode(input)
    if (execution === undefined || !isStepInput(value)) return
    this.#pending.set(String(event.eventId), pendingOf(execution, activityType?.name ?? '', value))
  }

  async #end(event: HistoryEvent): Promise<void> {
    const completed = event.activityTaskCompletedEventAttributes
    const ended =
      completed ??
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes
    const id = String(ended?.scheduledEventId ?? '')
    const pending = this.#pending.get(id)
    if (pending === undefined) return
    this.#pending.delete(id)
    const at = milliseconds(event.eventTime)
    const ending: Writable<Ending<unknown>> = completed
      ? { kind: 'result', value: await this.#decode(completed.result), at }
      : {
          kind: 'failure',
          failure: await readFailedActivity(this.#converter, failureOf(event)),
          at,
        }
    this.#clock.whenHeard(event, (heard) => {
      ending.at = heard
    })
    pending(ending)
  }

  /** A local activity: the turn's definition, or a tool whose result says where it belongs. */
  async #endLocal(event: HistoryEvent): Promise<void> {
    const { details, failure } = event.markerRecordedEventAttributes ?? {}
    // Temporal's own, which no codec has seen.
    const data = await decodeFirst(PLAIN, details?.['data']?.payloads as Payload[])
    const result = await this.#decode(details?.['result'])
    const { type, at, isFinal } = localFacts(data, milliseconds(event.eventTime))
    if (!isFinal) return
    if (this.#begun !== undefined && isObject(result) && typeof result['agent'] === 'string') {
      const manifest = result as unknown as Manifest
      this.#open({ ...this.#begun, manifest }, event).startedAt = at
      this.#begun = undefined
      return
    }
    const execution = this.#executions.at(-1)
    if (execution === undefined) return
    if (isObject(result) && isPlace(result['at'])) {
      execution.toolCalls.set(placeKey(result['at']), { kind: 'result', value: result, at })
    } else if (failure) {
      const [last] = [...execution.modelCalls.values()].at(-1) ?? []
      const step = last?.input ?? beginOf(execution)
      const told = await readFailedActivity(this.#converter, failure)
      add(execution.unplaced, unplacedKey(step, type), { kind: 'failure', failure: told, at })
    }
  }

  async #decode(payloads: { payloads?: unknown[] | null } | null | undefined): Promise<unknown> {
    return await decodeFirst(this.#converter, payloads?.payloads as Payload[] | undefined)
  }
}

type StepInput = CallModelInput | ToolCallInput

function pendingOf(execution: Open, type: string, input: StepInput): Pending {
  const set = <T>(ending: Ending<unknown>) => ending as Ending<T>
  if ('call' in input) return (ending) => execution.toolCalls.set(placeKey(input), ending)
  switch (type) {
    case 'chooseStrategy':
      return (ending) => execution.choices.set(input.turn, set<StrategyChoice>(ending))
    case 'summarize':
      return (ending) => add(execution.summaries, placeKey(input), set<Summary>(ending))
    default: {
      const call: Writable<RecordedModelCall> = { input, ending: null }
      add(execution.modelCalls, placeKey(input), call)
      return (ending) => {
        call.ending = set<ModelReply>(ending)
      }
    }
  }
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  map.set(key, [...(map.get(key) ?? []), value])
}

function isStepInput(value: unknown): value is StepInput {
  return isObject(value) && typeof value['turn'] === 'number' && typeof value['step'] === 'number'
}
