/** What stands in the place of a secret. */
const MASK = '[redacted]'

/**
 * A function that takes secrets out of a text: the given ones, the credentials of given URLs, anything
 * that looks like a bearer token, an OpenAI key or a URL with a password.
 *
 * @param values keys and base URLs in use
 */
export function redactor(values: readonly (string | undefined)[]): (text: string) => string {
  const secrets = values.flatMap((value) => (value === undefined ? [] : secretsOf(value)))
  return (text) => {
    let clean = text
    for (const secret of secrets) clean = clean.replaceAll(secret, MASK)
    return clean
      .replace(/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${MASK}`)
      .replace(/\bsk-[\w-]{6,}/g, MASK)
      .replace(/(\w+:\/\/)[^\s/@]+@/g, `$1${MASK}@`)
  }
}

function secretsOf(value: string): string[] {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined) return value.length < 4 ? [] : [value]
  const { username, password } = url
  return [password, username, decodeURIComponent(password)].filter((part) => part.length >= 4)
}
