/** What an entry takes in the state beside its text: its key, its numbers, its names. */
const ENTRY_CHARS = 250

/**
 * The newest entries of a list, oldest first, that fit `maxChars` together. What they take beside their
 * texts counts too: thousands of tiny ones would make the state too large to be carried.
 */
export function newestWithin<T>(
  entries: readonly T[],
  maxChars: number,
  charsOf: (entry: T) => number,
): T[] {
  let chars = 0
  const tooOld = entries.findLastIndex((entry) => {
    chars += charsOf(entry) + ENTRY_CHARS
    return chars > maxChars
  })
  return entries.slice(tooOld + 1)
}
