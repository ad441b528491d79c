import { configure } from 'safe-stable-stringify'
import {
  cleanText,
  cut,
  isEmptyResult,
  jsonResult,
  NO_RESULT,
  textResult,
} from '../contract/observation-text.js'
import { errorName } from './error-name.js'

/** Deeper values are shown as `[Object]` or `[Array]`. */
const MAX_DEPTH = 20

const stringify = configure({
  circularValue: '[circular]',
  deterministic: false,
  maximumDepth: MAX_DEPTH,
})

/**
 * The observation for what a tool returned: always text, well formed, at most 2,000 characters, without
 * base64. `emptyHint` follows a result that is empty.
 */
export function observationOf(value: unknown, emptyHint?: string): string {
  return cut(fullObservation(value, emptyHint))
}

/** The same before it is cut. */
export function fullObservation(value: unknown, emptyHint?: string): string {
  const text = toText(value)
  const shown = cleanText(text)
  return emptyHint !== undefined && isEmptyResult(text) && value !== text
    ? `${cut(shown)} ${emptyHint}`
    : shown
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return NO_RESULT
  if (typeof value === 'string') return textResult(value)
  try {
    return jsonResult(stringify(value, replacer()) ?? NO_RESULT)
  } catch {
    // A getter or toJSON that throws. The tool has done its work: that must not look like a failure.
    return '(done; the result of the tool cannot be shown)'
  }
}

/** What JSON drops or refuses, as text, so that nothing vanishes without a trace. */
function replacer() {
  const plain = plainOnce()
  return function replace(this: unknown, key: string, value: unknown): unknown {
    // Before its toJSON: those of HTTP clients tell stack, configuration and keys.
    const original = (this as Record<string, unknown>)[key]
    if (original instanceof Error) return { error: errorName(original) }
    switch (typeof value) {
      case 'bigint':
        return value.toString()
      case 'function':
      case 'symbol':
        return `[${typeof value}]`
      case 'number':
        return Number.isFinite(value) ? value : String(value)
      case 'object':
        return value === null ? null : plain(value)
      default:
        return value
    }
  }
}

/** Maps and sets as JSON, each as one and the same value, so that a circle through them is seen. */
function plainOnce(): (value: object) => unknown {
  const known = new WeakMap<object, unknown[] | Record<string, unknown>>()
  return (value) => {
    if (!(value instanceof Map) && !(value instanceof Set)) return value
    const seen = known.get(value)
    if (seen !== undefined) return seen
    const isRecord = value instanceof Map && [...value.keys()].every((k) => typeof k === 'string')
    const made = isRecord ? (Object.fromEntries(value) as Record<string, unknown>) : [...value]
    known.set(value, made)
    return made
  }
}
