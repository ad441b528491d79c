import { configure } from 'safe-stable-stringify'
import { headEnd, tailStart } from '../contract/text.js'
import { withoutBinary } from './binary-text.js'
import { errorName } from './error-name.js'

/** Characters of an observation at most. */
const MAX_CHARS = 2_000
/** Of a cut observation, the share that its head gets: the end often holds the total or the error. */
const HEAD_SHARE = 0.7
/** Room for the mark of the cut. */
const MARK_CHARS = 60
/** The same where the mark names the id for `read_more`. */
const KEPT_MARK_CHARS = 110

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
  const shown = withoutBinary(text.toWellFormed())
  return emptyHint !== undefined && EMPTY_TEXTS.has(text) && value !== text
    ? `${cut(shown)} ${emptyHint}`
    : shown
}

/** An observation in two: what is shown, and what `read_more` shows when it is asked for `id`. */
export function cutKeeping(text: string, id: string): { shown: string; rest: string } {
  if (text.length <= MAX_CHARS) return { shown: text, rest: '' }
  const room = MAX_CHARS - KEPT_MARK_CHARS
  const head = headEnd(text, Math.floor(room * HEAD_SHARE))
  const tail = tailStart(text, text.length - (room - head))
  const mark = `\n[… ${tail - head} of ${text.length} characters left out; read_more shows them: id "${id}" …]\n`
  return { shown: text.slice(0, head) + mark + text.slice(tail), rest: text.slice(head, tail) }
}

/** Cuts a text in its middle, and says so there. */
export function cut(text: string, maxChars = MAX_CHARS): string {
  if (text.length <= maxChars) return text
  const room = maxChars - MARK_CHARS
  const head = headEnd(text, Math.floor(room * HEAD_SHARE))
  const tail = tailStart(text, text.length - (room - head))
  const mark = `\n[… ${tail - head} of ${text.length} characters left out …]\n`
  return text.slice(0, head) + mark + text.slice(tail)
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return EMPTY
  if (typeof value === 'string') return value.trim() === '' ? EMPTY_TEXT : value
  try {
    const text = stringify(value, replacer()) ?? EMPTY
    // What is written decides: a date has no keys either.
    return text === '[]' || text === '{}' ? `${text}${EMPTY_MARK}` : text
  } catch {
    // A getter or toJSON that throws. The tool has done its work: that must not look like a failure.
    return '(done; the result of the tool cannot be shown)'
  }
}

const EMPTY = '(done; the tool returned no result)'
const EMPTY_TEXT = '(the result is an empty text)'
const EMPTY_MARK = ' (the result is empty)'
/** The texts of results that are empty; 0 and false are results. */
const EMPTY_TEXTS = new Set([EMPTY, EMPTY_TEXT, `[]${EMPTY_MARK}`, `{}${EMPTY_MARK}`])

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
