import { withoutBinary } from './binary-text.js'
import { headEnd, tailStart } from './text.js'

/** Characters of an observation at most. */
const MAX_CHARS = 2_000
/** Of a cut observation, the share that its head gets: the end often holds the total or the error. */
const HEAD_SHARE = 0.7
/** Room for the mark of the cut. */
const MARK_CHARS = 60
/** The same where the mark names the id for `read_more`. */
const KEPT_MARK_CHARS = 110

/** What the model reads of a tool that returned nothing. */
export const NO_RESULT = '(done; the tool returned no result)'
const EMPTY_TEXT = '(the result is an empty text)'
const EMPTY_MARK = ' (the result is empty)'
/** The texts of results that are empty; 0 and false are results. */
const EMPTY_TEXTS = new Set([NO_RESULT, EMPTY_TEXT, `[]${EMPTY_MARK}`, `{}${EMPTY_MARK}`])

/** What the model reads of a result that is a text. */
export function textResult(text: string): string {
  return text.trim() === '' ? EMPTY_TEXT : text
}

/** What the model reads of a result that became JSON. What is written decides: a date has no keys either. */
export function jsonResult(json: string): string {
  return json === '[]' || json === '{}' ? `${json}${EMPTY_MARK}` : json
}

/** True for the text of a result that is empty. */
export function isEmptyResult(text: string): boolean {
  return EMPTY_TEXTS.has(text)
}

/** A text as an observation: well formed, at most 2,000 characters, without base64. */
export function observationText(text: string): string {
  return cut(cleanText(text))
}

/** The same before it is cut. */
export function cleanText(text: string): string {
  return withoutBinary(text.toWellFormed())
}

/** The message of an error as the model may read it. A second time it changes nothing more. */
export function messageText(message: string): string {
  // JSON writes each control character with six.
  return cut(message.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, ' '))
}

/** Cuts a text in its middle, and says so there. */
export function cut(text: string, maxChars = MAX_CHARS): string {
  if (text.length <= maxChars) return text
  const { head, tail } = middle(text, maxChars - MARK_CHARS)
  const mark = `\n[… ${tail - head} of ${text.length} characters left out …]\n`
  return text.slice(0, head) + mark + text.slice(tail)
}

/** An observation in two: what is shown, and what `read_more` shows when it is asked for `id`. */
export function cutKeeping(text: string, id: string): { shown: string; rest: string } {
  if (text.length <= MAX_CHARS) return { shown: text, rest: '' }
  const { head, tail } = middle(text, MAX_CHARS - KEPT_MARK_CHARS)
  const mark = `\n[… ${tail - head} of ${text.length} characters left out; read_more shows them: id "${id}" …]\n`
  return { shown: text.slice(0, head) + mark + text.slice(tail), rest: text.slice(head, tail) }
}

/** What is left out so that `room` characters stay: from the end of the head to the start of the tail. */
function middle(text: string, room: number): { head: number; tail: number } {
  const head = headEnd(text, Math.floor(room * HEAD_SHARE))
  return { head, tail: tailStart(text, text.length - (room - head)) }
}
