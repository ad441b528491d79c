import { isObject } from '../../contract/json.js'

/** Whole milliseconds of a time in a history: as the server's client reads it, or as JSON has it. */
export function milliseconds(time: unknown): number {
  if (typeof time === 'string') return Date.parse(time)
  if (!isObject(time)) return 0
  return Number(time['seconds'] ?? 0) * 1_000 + Math.floor(Number(time['nanos'] ?? 0) / 1e6)
}
