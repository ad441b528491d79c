import type { JsonValue } from '../contract/json.js'
import { type RawOptions, raw, say } from './answers.js'
import type { Answer, FaultPlace, RawReply, Reply } from './reply.js'
import { errorBody } from './wire.js'

/** The answer that a fault cuts when none is given: long enough to have a middle. */
const LONG_ANSWER = say('This answer never arrives whole, because the test cuts it on its way.')

/**
 * Never ends, until the client goes away or the server closes.
 *
 * @param when `before`: not even headers are sent. `body`: the first half of `reply` is.
 * @default 'before'
 */
export function hang(when: FaultPlace = 'before', reply: Answer = LONG_ANSWER): Reply {
  return { kind: 'hang', when, reply }
}

/**
 * Destroys the connection with a TCP reset.
 *
 * @param when `before`: no headers are sent. `body`: the first half of `reply` is.
 */
export function reset(when: FaultPlace, reply: Answer = LONG_ANSWER): Reply {
  return { kind: 'reset', when, reply }
}

/** Waits `ms` milliseconds before the reply's headers. */
export function delay(ms: number, reply: Reply): Reply {
  return { kind: 'delay', ms, reply }
}

/** Sends the headers at once, then the body: `bytes` bytes every `everyMs` milliseconds. */
export function drip(
  reply: Reply,
  pace: { readonly everyMs: number; readonly bytes: number },
): Reply {
  return { kind: 'drip', everyMs: pace.everyMs, bytes: Math.max(1, pace.bytes), reply }
}

/**
 * A response that is complete for HTTP but holds only half of its JSON. In a stream: the last event
 * holds half of its chunk, and nothing follows.
 */
export function cutJson(reply: Answer): Reply {
  return { kind: 'cut-json', reply }
}

/**
 * A stream that ends cleanly after its content, without the chunk that has the finish reason.
 *
 * A request that asked for no stream gets what is nearest to it: with `done` the whole answer with
 * `finish_reason: null`, without it the same as {@link cutJson}.
 *
 * @param options.done whether `data: [DONE]` still comes. @default false
 */
export function cutStream(reply: Answer, options: { readonly done?: boolean } = {}): Reply {
  return { kind: 'cut-stream', done: options.done ?? false, reply }
}

/** Options of {@link status}. */
export interface StatusOptions extends Omit<RawOptions, 'status'> {
  /** The whole body. @default an error in OpenAI's form */
  readonly body?: JsonValue
}

/**
 * An error response, the same for streamed and plain requests.
 *
 * @param code the HTTP status.
 */
export function status(code: number, options: StatusOptions = {}): RawReply {
  const { body, headers = {} } = options
  if (body !== undefined) return raw(body, { status: code, headers })
  const type = code === 429 ? 'requests' : code >= 500 ? 'server_error' : 'invalid_request_error'
  const error = {
    message: `The test's model server was told to answer ${code}.`,
    type,
    param: null,
    code: ERROR_CODES.get(code) ?? null,
  }
  const json = { 'content-type': 'application/json' }
  return raw(errorBody(error), { status: code, headers: { ...json, ...headers } })
}

/** A page of HTML, as a proxy in front of the model would send. @default status 502 */
export function html(code = 502): RawReply {
  const title = `${code} from the proxy`
  return raw(`<!doctype html><title>${title}</title><h1>${title}</h1>\n`, { status: code })
}

const ERROR_CODES: ReadonlyMap<number, string> = new Map([
  [401, 'invalid_api_key'],
  [404, 'model_not_found'],
  [429, 'rate_limit_exceeded'],
])
