import type { ToolCallInput } from '../../contract/activities.js'
import { isObject, type JsonObject } from '../../contract/json.js'
import { milliseconds } from './event-time.js'
import { type End, endCall, withCall } from './finish-step.js'
import type { Step } from './step.js'

/** Where a call stands. */
export type Place = Pick<ToolCallInput, 'turn' | 'step' | 'call'>

/**
 * Time and attempts of a local activity. What the SDK writes beside the result mixes two clocks, the wall's
 * and the workflow's: it is some milliseconds too short, and stands in only where a failure tells no time. It tells no failed attempts.
 */
export function localFigures(result: unknown, data: unknown): Omit<End, 'failure' | 'result'> {
  const { attempt, original_schedule_time: from, complete_time: to } = isObject(data) ? data : {}
  const told = isObject(result) ? result['ms'] : undefined
  const ms = typeof told === 'number' ? told : Math.max(0, milliseconds(to) - milliseconds(from))
  return { ms, attempts: typeof attempt === 'number' ? attempt : 1, retryCause: null }
}

/** A local activity that failed: its marker tells the tool, and not whose call it was. */
export interface LocalFailure {
  /** The activity's number in its execution. */
  readonly seq: number
  readonly type: string
  readonly end: End
}

/** What the SDK writes beside the failure of a local activity. */
export function localFailure(data: unknown, end: End): LocalFailure | null {
  const { seq, activity_type: type } = isObject(data) ? data : {}
  return typeof type === 'string' ? { seq: Number(seq ?? 0), type, end } : null
}

/** Gives failures to the calls of their tools that have no other end: both are in the order of the calls. */
export function withFailures(
  step: Step,
  failures: readonly LocalFailure[],
  typeOf: (tool: string) => string,
): Step {
  return failures
    .toSorted((a, b) => a.seq - b.seq)
    .reduce((placed, { type, end }) => {
      const index = placed.calls.findIndex(
        ({ name, status }) => status === 'running' && typeOf(name) === type,
      )
      return index < 0 ? placed : withCall(placed, index + 1, (call) => endCall(call, end))
    }, step)
}

/** True for the place that the result of a local tool tells. */
export function isPlace(value: unknown): value is Place & JsonObject {
  return isObject(value) && ['turn', 'step', 'call'].every((f) => typeof value[f] === 'number')
}

/** What a marker tells of its local activity. */
export interface LocalFacts {
  /** The activity type. */
  readonly type: string
  /** The workflow's clock when it heard of the end, in milliseconds. */
  readonly at: number
  /** False: it is tried again, after a wait that the workflow makes itself. */
  readonly isFinal: boolean
}

/** Type and end of a local activity; `eventTime` stands in where an old marker does not tell. */
export function localFacts(data: unknown, eventTime: number): LocalFacts {
  const { activity_type: type, complete_time: at, backoff } = isObject(data) ? data : {}
  const isFinal = backoff === undefined || backoff === null
  return {
    type: typeof type === 'string' ? type : '',
    at: milliseconds(at) || eventTime,
    isFinal,
  }
}
