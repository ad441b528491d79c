import OpenAI, { APIError } from 'openai'
import { isObject, type JsonObject, type JsonValue } from '../contract/json.js'
import { shorten } from '../contract/text.js'
import { startIdleTimer } from './idle-timer.js'
import type { Model, RawReply } from './model.js'
import { ModelError } from './model-error.js'
import { readCompletion } from './read-completion.js'
import { readResponse } from './read-response.js'
import { redactor, secretMask } from './redact.js'
import { refusedParameter } from './refused-parameter.js'
import { requestBody } from './request-body.js'
import { splitUrl } from './split-url.js'

/** Characters of an error's message at most. */
const MAX_CHARS = 500
/** Characters of it that are looked at: a server may send a book. */
const MAX_READ_CHARS = 5_000
/** Milliseconds without a byte. Reasoning models say nothing for a minute before they begin. */
const IDLE_MS = 120_000

/** Where an OpenAI-compatible API is, and how it differs from OpenAI's. */
export interface OpenAIOptions {
  /** Sent as bearer token. @default none is needed (local servers) */
  readonly apiKey?: string | undefined
  /** Such as `http://127.0.0.1:8080/v1`. @default OpenAI's own */
  readonly baseURL?: string | undefined
  /** Whether replies are streamed from the provider, so that a dead connection is noticed. @default true */
  readonly stream?: boolean | undefined
  /** Milliseconds without a byte after which a request is given up. @default 120000 */
  readonly idleTimeoutMs?: number | undefined
  /** `simple` sends only type, properties and required of each tool's schema. @default 'full' */
  readonly schema?: 'full' | 'simple' | undefined
}

/**
 * A model behind an OpenAI-compatible chat completions API. A user and password in the base URL are sent
 * as basic authentication. A parameter that the server refuses is renamed or left out, once and for all.
 *
 * @throws TypeError when the base URL is none, or holds credentials beside an API key
 */
export function openAIModel(options: OpenAIOptions): Model {
  const { stream = true, schema = 'full' } = options
  const send = createSender(options)
  /** By model: one server has many. */
  const dialects = new Map<string, Learned>()
  return {
    complete: (prompt, signal) => {
      const learned = dialects.get(prompt.model) ?? { refused: new Set(), untold: [] }
      dialects.set(prompt.model, learned)
      return sendAdapted(
        () => requestBody(prompt, { stream, schema, refused: learned.refused }),
        (body) => send(body, signal),
        learned,
      )
    },
  }
}

/** What this worker has learned of one model. */
interface Learned {
  readonly refused: Set<string>
  /** A parameter for each request that was sent again and that no reply has told of yet. */
  untold: string[]
}

/** Sends a request again without what the server refuses: one parameter less with each round. */
async function sendAdapted(
  makeBody: () => JsonObject,
  send: (body: JsonObject) => Promise<RawReply>,
  learned: Learned,
): Promise<RawReply> {
  for (;;) {
    const body = makeBody()
    try {
      const reply = await send(body)
      const adapted = learned.untold
      learned.untold = []
      return adapted.length === 0 ? reply : { ...reply, adapted }
    } catch (error) {
      const name = error instanceof ModelError ? refusedParameter(error, body) : null
      if (name === null) throw error
      learned.refused.add(name)
      learned.untold.push(name)
    }
  }
}

/** Sends one request; everything that goes wrong is a ModelError, but for the caller's own abort. */
function createSender({ apiKey, baseURL, idleTimeoutMs = IDLE_MS }: OpenAIOptions) {
  const client = createClient(apiKey, baseURL)
  const secrets = { keys: [apiKey], urls: [baseURL] }
  const redact = redactor(secrets)
  const mask = secretMask(secrets)
  return async (body: JsonObject, signal: AbortSignal): Promise<RawReply> => {
    const idle = startIdleTimer(signal, idleTimeoutMs)
    try {
      const request = client.post('/chat/completions', { body, signal: idle.signal })
      const response = await request.asResponse()
      idle.alive()
      return withoutSecrets(readCompletion(await readResponse(response, idle.alive)), mask)
    } catch (error) {
      if (idle.expired()) throw idleError(idleTimeoutMs)
      throw signal.aborted ? error : toModelError(error, redact)
    } finally {
      idle.stop()
    }
  }
}

/** A server may echo the key into its reply, and a model may be made to say it. */
function withoutSecrets(reply: RawReply, mask: (text: string) => string): RawReply {
  const text = JSON.stringify(reply)
  const masked = mask(text)
  return masked === text ? reply : (JSON.parse(masked) as RawReply)
}

function createClient(apiKey: string | undefined, baseURL: string | undefined): OpenAI {
  const { url, credentials } = baseURL === undefined ? { url: null } : splitUrl(baseURL)
  if (credentials !== undefined && apiKey !== undefined) {
    throw new TypeError(
      'The base URL holds a user and password, and there is an API key: give one.',
    )
  }
  return new OpenAI({
    // The package refuses to start without a key, local servers ignore it.
    apiKey: apiKey ?? 'none',
    baseURL: url,
    ...(credentials === undefined ? {} : { defaultHeaders: { Authorization: credentials } }),
    fetch: fetchReadably,
    // Temporal retries; two layers of retries multiply.
    maxRetries: 0,
  })
}

/** The package shows no more of an error's body than its field `error`: others get one. */
async function fetchReadably(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
  if (response.ok) return response
  const text = await response.text().catch(() => '')
  const { status, headers } = response
  return new Response(text === '' ? null : withErrorField(text), { status, headers })
}

function withErrorField(text: string): string {
  try {
    const body: JsonValue = JSON.parse(text)
    const first = Array.isArray(body) ? (body[0] ?? null) : body
    const known = isObject(first) && first['error'] !== undefined
    return JSON.stringify(known ? first : { error: first })
  } catch {
    return text
  }
}

function idleError(ms: number): ModelError {
  const message = `The server sent nothing for ${ms / 1_000} s.`
  return new ModelError(message, { status: null, code: 'idle_timeout' })
}

/** The message of an error may echo the request: no key and no password leaves this file. */
function toModelError(error: unknown, redact: (text: string) => string): ModelError {
  const whole = error instanceof Error ? describe(error) : String(error)
  // Redacted before it is cut to size: half a key would not be known as one.
  const text = shorten(redact(whole.slice(0, MAX_READ_CHARS)), MAX_CHARS)
  if (error instanceof ModelError) return new ModelError(text, error)
  if (error instanceof APIError && error.status !== undefined) {
    const { status, headers } = error
    const { code, type, param }: Record<'code' | 'type' | 'param', unknown> = error
    const facts = { status, code: textOf(code) ?? textOf(type), param: textOf(param) }
    return new ModelError(text, { ...facts, headers: headers ?? new Headers() })
  }
  // A reset in the body is a bare TypeError: the network's doing, like a refused connection.
  return new ModelError(text, { status: null, code: 'connection' })
}

/** What a server sent as a text or as the parts of a path; it may be anything. */
function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.join('.')
  return typeof value === 'string' ? value : null
}

function describe(error: Error): string {
  // The status is told beside the message.
  const message = error.message.replace(/^\d{3} /, '')
  if (error instanceof ModelError || !(error.cause instanceof Error)) return message
  return `${message} (${[error.cause.message, ...codes(error.cause)].join(', ')})`
}

/** Codes such as ECONNREFUSED and ENOTFOUND, which fetch hides some causes deep. */
function codes(error: Error): string[] {
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  return error.cause instanceof Error ? [...code, ...codes(error.cause)] : code
}
