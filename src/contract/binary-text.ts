/** A data URL with base64 in it. */
const DATA_URL = /data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64,([A-Za-z0-9+/_-]{64,}={0,2})/g
/**
 * A long run of nothing but base64, also that for URLs, also in lines (be their ends escaped by JSON).
 * Looked for from its start only: else each of its characters is one.
 */
const BARE =
  /(?<![\w+/-])(?:[\w+/-]{1000,}|(?:[\w+/-]{40,}(?:\\r\\n|\\n|\r?\n)){12,}[\w+/-]*)={0,2}/g
/** Distinct characters that real base64 of that length has; a line of dashes or of one letter has few. */
const MIN_DISTINCT = 24
/** What real base64 has of each: words without spaces have small letters only. */
const KINDS = [/[a-z]/, /[A-Z]/, /[0-9]/]

/**
 * Replaces base64 by a note with its type and size: no model reads it, and it would fill the window.
 */
export function withoutBinary(text: string): string {
  return text
    .replace(DATA_URL, (_, type: string | undefined, data: string) => note(type ?? 'data', data))
    .replace(BARE, (data) => (isBase64(data) ? note('base64 data', data) : data))
}

function isBase64(run: string): boolean {
  return new Set(run).size >= MIN_DISTINCT && KINDS.every((kind) => kind.test(run))
}

function note(type: string, data: string): string {
  return `[${type}, ${Math.ceil((data.length * 3) / 4 / 1_000)} kB, left out]`
}
