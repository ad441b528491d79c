import type { HistoryEvent } from '../client/history/read-events.js'
import { allEvents, type RunHistory } from './run-history.js'

/** Where a history holds what looks like a secret. */
export interface FoundSecret {
  /** What it looks like, such as `an API key`. */
  readonly what: string
  readonly eventId: number
  /** The fields that lead there, such as `activityTaskCompleted.result`. */
  readonly place: string
}

/** What secrets look like. Stricter than what is masked in errors: words must not stop an export. */
const LOOKS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['an API key', /\b(?:sk|rk|pk)-(?=[\w-]*\d)[\w-]{20,}/],
  ['an API key', /\bAIza[\w-]{35}\b/],
  ['an AWS key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a GitHub token', /\b(?:gh[pousr]_|github_pat_)\w{30,}/],
  ['a Slack token', /\bxox[abprs]-[\w-]{10,}/],
  ['a bearer token', /\b(?:bearer|basic)\s+(?=[\w.~+/-]*\d)[\w.~+/-]{16,}/i],
  ['a JSON web token', /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/],
  ['a URL with a password', /\b\w+:\/\/[^\s/@:"']+:[^\s/@"']+@/],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
]

/** Shorter values are no secrets. */
const MIN_CHARS = 8

/**
 * Searches a history for what looks like a secret, and for the values of `secrets`. What a codec wrote is
 * not readable, here or elsewhere, and passes.
 */
export function findSecrets(history: RunHistory, secrets: readonly string[] = []): FoundSecret[] {
  const known = secrets.filter(({ length }) => length >= MIN_CHARS)
  return allEvents(history).flatMap((event) => searchEvent(event, known))
}

function searchEvent(event: HistoryEvent, known: readonly string[]): FoundSecret[] {
  const found = new Map<string, FoundSecret>()
  for (const [path, text] of textsOf(event, [])) {
    const what = known.some((secret) => text.includes(secret))
      ? 'a key in use here'
      : LOOKS.find(([, pattern]) => pattern.test(text))?.[0]
    if (what === undefined) continue
    const place = path
      .filter((part) => !/^(\d+|payloads|data|fields|metadata)$/.test(part))
      .join('.')
      .replace('EventAttributes', '')
    found.set(`${what} ${place}`, { what, eventId: Number(event.eventId), place })
  }
  return [...found.values()]
}

/** Every text of an event with the fields that lead there; bytes are read as text. */
function* textsOf(
  value: unknown,
  path: readonly string[],
): Generator<readonly [readonly string[], string]> {
  if (typeof value === 'string') yield [path, value]
  else if (value instanceof Uint8Array) yield [path, Buffer.from(value).toString()]
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* textsOf(inner, [...path, key])
  }
}
