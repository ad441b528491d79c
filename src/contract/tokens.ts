import type { Message } from './messages.js'

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number

/** Tokens that a request has around each message, and around each call (OpenAI's format). */
const MESSAGE_TOKENS = 4
const CALL_TOKENS = 8

/** The tokens of one message, with what a request puts around it. */
export function messageTokens(message: Message, count: CountTokens): number {
  const own = MESSAGE_TOKENS + count(message.text)
  if (message.role !== 'assistant') return own
  return message.calls.reduce(
    (sum, { name, args }) => sum + CALL_TOKENS + count(name) + count(JSON.stringify(args)),
    own,
  )
}

/**
 * About as many tokens as OpenAI's o200k_base counts, without its 2 MB of tables; pure, for the workflow
 * sandbox and for workers that must stay small. A sum over the characters by their kind, set so that
 * prose of twenty languages comes out at 0.8 to 1.5 times the real number (a test compares them). Encoded
 * data and long numbers come out too low.
 */
export const estimateTokens: CountTokens = (text) => {
  let tokens = 0
  for (let i = 0; i < text.length; i++) tokens += weight(text.charCodeAt(i))
  return Math.ceil(tokens)
}

/** Tokens of one UTF-16 unit. */
function weight(code: number): number {
  if (code < 0x80) return asciiWeight(code)
  // Letters with accents, those of Vietnamese too: they break words into pieces.
  if (code < 0x250 || (code >= 0x1e00 && code < 0x1f00)) return 1.1
  // Greek, Cyrillic, Arabic, Hebrew, the scripts of India, Thai …
  if (code < 0x2e80) return 0.42
  // Half of a surrogate pair: emoji and rare characters.
  if (code >= 0xd800 && code <= 0xdfff) return 0.9
  // Chinese, Japanese, Korean.
  return 0.8
}

function asciiWeight(code: number): number {
  if (code === 0x20) return 0.07
  if (code >= 0x61 && code <= 0x7a) return 0.24
  if (code >= 0x41 && code <= 0x5a) return 0.4
  // Digits, then everything else that is printed.
  return code >= 0x30 && code <= 0x39 ? 0.5 : 0.55
}
