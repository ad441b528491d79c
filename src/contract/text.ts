/**
 * The first `max` UTF-16 units of a text at most, ending in `…` when something was cut. Never splits a
 * surrogate pair.
 */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, headEnd(text, max - 1))}…`
}

/** The largest end ≤ `end` that does not split a surrogate pair. */
export function headEnd(text: string, end: number): number {
  return isLowSurrogate(text, end) ? end - 1 : end
}

/** The smallest start ≥ `start` that does not split a surrogate pair. */
export function tailStart(text: string, start: number): number {
  return isLowSurrogate(text, start) ? start + 1 : start
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return index > 0 && code >= 0xdc00 && code <= 0xdfff
}
