/**
 * The first `max` UTF-16 units of a text at most (1 or more), ending in `…` when something was cut. Never splits a
 * surrogate pair.
 */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, headEnd(text, max - 1))}…`
}

/** The largest end ≤ `end` that does not split a surrogate pair. */
export function headEnd(text: string, end: number): number {
  return splitsPair(text, end) ? end - 1 : end
}

/** The smallest start ≥ `start` that does not split a surrogate pair. */
export function tailStart(text: string, start: number): number {
  return splitsPair(text, start) ? start + 1 : start
}

function splitsPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}
