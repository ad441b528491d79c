/** What stands in the place of a secret. */
const MASK = '[redacted]'

/** Shorter values are no secrets, and masking them would garble every text. */
const MIN_CHARS = 4

/** What is secret in the use of one API. */
export interface Secrets {
  readonly keys: readonly (string | undefined)[]
  /** Their passwords are secret. */
  readonly urls: readonly (string | undefined)[]
}

/** A function that masks the secrets in use, and nothing else. */
export function secretMask({ keys, urls }: Secrets): (text: string) => string {
  const secrets = [...keys, ...urls.flatMap(passwords)]
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length >= MIN_CHARS)
  return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, MASK), text)
}

/**
 * A function that takes secrets out of an error's text: those in use, and whatever looks like a bearer
 * token, an OpenAI key or a URL with credentials.
 */
export function redactor(secrets: Secrets): (text: string) => string {
  const mask = secretMask(secrets)
  return (text) =>
    mask(text)
      .replace(/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${MASK}`)
      .replace(/\bsk-[\w-]{6,}/g, MASK)
      .replace(/(\w+:\/\/)[^\s/@]+@/g, `$1${MASK}@`)
}

/** The text of a part of a URL; the part itself where its escapes are broken. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function passwords(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return []
  const { username, password } = new URL(url)
  if (password === '') return []
  const pair = `${decoded(username)}:${decoded(password)}`
  return [password, decoded(password), Buffer.from(pair).toString('base64')]
}
