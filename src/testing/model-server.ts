import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { isObject } from '../contract/json.js'
import { checkRequest } from './check-request.js'
import { planReply } from './plan.js'
import {
  createRequestLog,
  type LogCondition,
  type LoggedRequest,
  type OpenRequest,
  type RequestLog,
  type WaitOptions,
  withoutSecrets,
} from './request-log.js'
import { type NextReply, type ReplySource, replySource, testFault } from './respond.js'
import { send } from './send.js'
import { type Violation, violationText } from './violation.js'
import { type ApiError, type ChatRequest, errorBody } from './wire.js'

/** Options of {@link startModelServer}: `script` or `respond`, and what is here. */
export type ModelServerOptions = ReplySource & {
  /** @default a free port */
  readonly port?: number
  /** False: a request that breaks a rule gets its reply, and only the log tells. @default true */
  readonly strict?: boolean
  /** A request with another bearer token than this gets a 401. @default any key or none will do */
  readonly apiKey?: string
  /** What `GET /v1/models` lists. @default ['test-model'] */
  readonly models?: readonly string[]
}

/** A running model server. */
export interface ModelServer {
  /** The base URL, `http://127.0.0.1:<port>/v1`: what `OPENAI_BASE_URL` takes. */
  readonly url: string
  /** Every chat request so far, in order of arrival. Live: it grows and its entries change. */
  readonly requests: readonly LoggedRequest[]
  /**
   * Resolves with the log as soon as it meets the condition. A number counts arrivals, not answers.
   *
   * @throws Error when the time is up or the server is closed; its message holds what was seen.
   */
  waitFor(condition: LogCondition, options?: WaitOptions): Promise<readonly LoggedRequest[]>
  /** Ends every open connection at once and frees the port. May be called again. */
  close(): Promise<void>
}

interface Context {
  readonly options: ModelServerOptions
  readonly log: RequestLog
  readonly next: NextReply
  closing: boolean
}

/**
 * Starts an OpenAI-compatible model server on 127.0.0.1 that answers from a script or a function.
 * It has `POST /v1/chat/completions`, plain and streamed, and `GET /v1/models`.
 *
 * A request that breaks a rule of {@link checkRequest} is answered with 400 and uses up no reply.
 *
 * @throws Error (EADDRINUSE) when `port` is taken.
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const log = createRequestLog()
  const context: Context = { options, log, next: replySource(options), closing: false }
  const server = createServer((request, response) => {
    // Rejects only when the client went away while it sent its request: nobody is left to tell.
    handle(context, request, response).catch(() => response.destroy())
  })
  // Else an idle connection may be closed just as the client uses it again: a flaky ECONNRESET.
  server.keepAliveTimeout = 0
  const port = await listen(server, options.port ?? 0)
  let closed: Promise<void> | undefined
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests: log.requests,
    waitFor: (condition, waitOptions) => log.waitFor(condition, waitOptions),
    close() {
      context.closing = true
      closed ??= new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        log.close()
      })
      return closed
    },
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

async function handle(
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const route = `${request.method} ${request.url?.split('?')[0]}`
  const body = await text(request)
  if (route === 'POST /v1/chat/completions') return chat({ context, request, response, body })
  if (!hasKey(context, request)) return refuse(response, 401, WRONG_KEY)
  if (route === 'GET /v1/models') return listModels(context, response)
  context.log.addStray(route)
  const message = `Unknown request URL: ${route}. The base URL of this server ends in /v1.`
  refuse(response, 404, { ...INVALID, message, code: 'unknown_url' })
}

interface Exchange {
  readonly context: Context
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: string
}

async function chat({ context, request, response, body }: Exchange): Promise<void> {
  const parsed = parse(body)
  const isAllowed = hasKey(context, request)
  const violations = isAllowed ? violationsOf(parsed) : []
  const isRequest = parsed.ok && isObject(parsed.value)
  const entry = context.log.add({
    at: Date.now(),
    headers: withoutSecrets(request.headers),
    body: isRequest ? (parsed.value as ChatRequest) : { model: '', messages: [] },
    status: null,
    closedByClient: false,
    violations: violations.map(violationText),
  })
  const onLast = watch(context, entry, response)
  if (!isAllowed) return refuse(response, 401, WRONG_KEY, onLast)
  const mustPass = context.options.strict ?? true
  if (violations.length > 0 && (mustPass || !isRequest)) {
    return refuse(response, 400, badRequest(violations), onLast)
  }
  const { reply, index } = await context.next(entry.body)
  response.setHeader('x-request-id', `req_${index}`)
  const sent = { request: entry.body, index }
  try {
    await send(planReply(reply, sent), response, onLast)
  } catch (error) {
    // Such as a header that HTTP does not allow: a mistake in the test must not look like a hang.
    if (response.headersSent) throw error
    const fault = testFault('bad_reply', `The reply cannot be sent: ${error}`)
    await send(planReply(fault, sent), response, onLast)
  }
}

/** Keeps the log's entry true to what happens on the connection. */
function watch(context: Context, entry: OpenRequest, response: ServerResponse): () => void {
  const settle = (): void => {
    entry.status = response.headersSent ? response.statusCode : null
    context.log.changed()
  }
  let ours = false
  response.once('close', () => {
    const wasReset = ours && !response.writableEnded
    if (response.writableFinished || wasReset || context.closing) return
    entry.closedByClient = true
    settle()
  })
  return () => {
    ours = true
    settle()
  }
}

function hasKey({ options }: Context, request: IncomingMessage): boolean {
  const { apiKey } = options
  return apiKey === undefined || request.headers.authorization === `Bearer ${apiKey}`
}

function refuse(
  response: ServerResponse,
  status: number,
  error: ApiError,
  onLast: () => void = () => undefined,
): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  onLast()
  response.end(errorBody(error))
}

function listModels({ options }: Context, response: ServerResponse): void {
  const { models = ['test-model'] } = options
  const data = models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'perdure' }))
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ object: 'list', data }))
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false }

function parse(body: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(body) }
  } catch {
    return { ok: false }
  }
}

function violationsOf(parsed: Parsed): Violation[] {
  return parsed.ok ? checkRequest(parsed.value) : [NOT_JSON]
}

function badRequest(violations: readonly Violation[]): ApiError {
  const first = violations[0]
  const message = `Invalid request. ${violations.map(violationText).join('; ')}`
  return { ...INVALID, message, param: first?.path || null, code: first?.rule ?? null }
}

const INVALID: ApiError = { message: '', type: 'invalid_request_error', param: null, code: null }

const WRONG_KEY: ApiError = {
  ...INVALID,
  message: 'Incorrect API key provided, or none.',
  code: 'invalid_api_key',
}

const NOT_JSON: Violation = { rule: 'body', path: '', message: 'is not JSON' }
