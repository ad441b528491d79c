/** A data URL with base64 in it. */
const DATA_URL = /data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64,([A-Za-z0-9+/_-]{64,}={0,2})/g
/** A long run of nothing but base64. */
const BARE = /[A-Za-z0-9+/]{1000,}={0,2}/g
/** Distinct characters that real base64 of that length has; a line of dashes or of one letter has few. */
const MIN_DISTINCT = 24

/**
 * Replaces base64 by a note with its type and size: no model reads it, and it would fill the window.
 */
export function withoutBinary(text: string): string {
  return text
    .replace(DATA_URL, (_, type: string | undefined, data: string) => note(type ?? 'data', data))
    .replace(BARE, (data) => (new Set(data).size < MIN_DISTINCT ? data : note('base64 data', data)))
}

function note(type: string, data: string): string {
  return `[${type}, ${Math.ceil((data.length * 3) / 4 / 1_000)} kB, left out]`
}
