import { decoded } from './redact.js'

/** A base URL without the credentials in it, and the header that they stand for. */
export interface SplitUrl {
  readonly url: string
  /** The value of `Authorization`; undefined where the URL holds no credentials. */
  readonly credentials?: string
}

/**
 * Takes user and password out of a base URL: fetch refuses a URL that holds them.
 *
 * @throws TypeError when it is no URL
 */
export function splitUrl(baseURL: string): SplitUrl {
  if (!URL.canParse(baseURL)) {
    throw new TypeError('The base URL is none: give one such as http://127.0.0.1:8080/v1.')
  }
  const url = new URL(baseURL)
  const { username, password } = url
  if (username === '' && password === '') return { url: baseURL }
  url.username = ''
  url.password = ''
  const pair = `${decoded(username)}:${decoded(password)}`
  return { url: url.href, credentials: `Basic ${Buffer.from(pair).toString('base64')}` }
}
