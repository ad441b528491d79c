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

/**
 * A function that takes secrets out of a text: the given ones, and whatever looks like a bearer token, an
 * OpenAI key or a URL with credentials.
 */
export function redactor({ keys, urls }: Secrets): (text: string) => string {
  const secrets = [...keys, ...urls.flatMap(passwords)]
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length >= MIN_CHARS)
  return (text) => {
    let clean = text
    for (const secret of secrets) clean = clean.replaceAll(secret, MASK)
    return clean
      .replace(/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${MASK}`)
      .replace(/\bsk-[\w-]{6,}/g, MASK)
      .replace(/(\w+:\/\/)[^\s/@]+@/g, `$1${MASK}@`)
  }
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
  const { password } = new URL(url)
  return [password, decoded(password)]
}
