const LENGTH = 160

/** Some of a text around the first place that holds one of the words (in lower case), on one line. */
export function snippetOf(text: string, words: readonly string[]): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const lower = line.toLowerCase()
  // The longest word that is there is the one that tells most. Short ones are in every text.
  const word = [...words].sort((a, b) => b.length - a.length).find((each) => lower.includes(each))
  const place = word === undefined ? 0 : lower.indexOf(word)
  const start = Math.max(0, Math.min(place - LENGTH / 4, line.length - LENGTH))
  const end = start + LENGTH
  const before = start > 0 ? '…' : ''
  const after = end < line.length ? '…' : ''
  return `${before}${line.slice(start, end).toWellFormed().trim()}${after}`
}
