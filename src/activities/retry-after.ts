/**
 * How long a server asks to wait, in milliseconds: `retry-after-ms`, else `retry-after` in seconds or as
 * a date (RFC 9110). A value that is none, or not in the future, falls through to the next; null when
 * none is left.
 */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const ms = number(headers.get('retry-after-ms'))
  if (ms !== null) return ms
  const value = headers.get('retry-after')
  const seconds = number(value)
  if (seconds !== null) return seconds * 1_000
  // Date.parse takes much that is no HTTP date.
  if (value === null || !/^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .* gmt$/i.test(value)) return null
  const until = Date.parse(value) - now
  return until > 0 ? until : null
}

/** A positive number that is the whole text, in at most 12 digits and without an exponent. */
function number(text: string | null): number | null {
  if (text === null || !/^\d{1,12}(\.\d+)?$/.test(text.trim())) return null
  const value = Number(text)
  return value > 0 ? value : null
}
