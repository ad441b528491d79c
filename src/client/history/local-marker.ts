import type { ToolCallInput } from '../../contract/activities.js'
import { isObject, type JsonObject } from '../../contract/json.js'
import type { End } from './finish-step.js'

/** Where a call stands. */
export type Place = Pick<ToolCallInput, 'turn' | 'step' | 'call'>

/** Time and attempts of a local activity, from what the SDK writes beside its result: no failed attempts. */
export function localFigures(data: unknown): Omit<End, 'failure' | 'result'> {
  const { attempt, original_schedule_time: from, complete_time: to } = isObject(data) ? data : {}
  const ms = milliseconds(to) - milliseconds(from)
  return {
    ms: Math.max(0, ms),
    attempts: typeof attempt === 'number' ? attempt : 1,
    retryCause: null,
  }
}

function milliseconds(time: unknown): number {
  if (typeof time === 'string') return Date.parse(time)
  if (!isObject(time)) return 0
  return Number(time['seconds'] ?? 0) * 1_000 + Number(time['nanos'] ?? 0) / 1e6
}

/** True for the place that the result of a local tool tells. */
export function isPlace(value: unknown): value is Place & JsonObject {
  return isObject(value) && ['turn', 'step', 'call'].every((f) => typeof value[f] === 'number')
}
