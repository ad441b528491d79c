/**
 * What kind of error something is, for people and models who must not read its message. A name is the
 * user's own text too: one that is more than a word is left out.
 */
export function errorName(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error
  return /^\w{1,60}$/.test(name) ? name : 'an error'
}
