import { configure } from 'safe-stable-stringify'
import { headEnd, tailStart } from '../contract/text.js'

/** Characters of an observation at most. */
const MAX_CHARS = 2_000
/** Of a cut observation, the share that its head gets: the end often holds the total or the error. */
const HEAD_SHARE = 0.7
/** Room for the mark of the cut. */
const MARK_CHARS = 60

const stringify = configure({ circularValue: '[circular]', deterministic: false })

/** The observation for what a tool returned: always text, well formed, at most 2,000 characters. */
export function observationOf(value: unknown): string {
  return cut(toText(value).toWellFormed())
}

/** Cuts a text in its middle, and says so there. */
export function cut(text: string): string {
  if (text.length <= MAX_CHARS) return text
  const room = MAX_CHARS - MARK_CHARS
  const head = headEnd(text, Math.floor(room * HEAD_SHARE))
  const tail = tailStart(text, text.length - (room - head))
  const mark = `\n[… ${tail - head} of ${text.length} characters left out …]\n`
  return text.slice(0, head) + mark + text.slice(tail)
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return EMPTY
  if (typeof value === 'string') return value === '' ? '(the result is an empty text)' : value
  return stringify(value, replace) ?? EMPTY
}

const EMPTY = '(done; the tool returned no result)'

/** What JSON drops or refuses, as text, so that nothing vanishes without a trace. */
function replace(_key: string, value: unknown): unknown {
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

function plain(value: object): unknown {
  if (value instanceof Map) return Object.fromEntries(value)
  if (value instanceof Set) return [...value]
  // Neither stack nor cause: they hold paths and worse.
  if (value instanceof Error) return { error: value.name }
  return value
}
