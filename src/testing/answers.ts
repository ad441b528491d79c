import type { JsonObject, JsonValue } from '../contract/json.js'
import type { TokenCount } from '../contract/reply.js'
import type { Answer, AnswerCall, RawReply } from './reply.js'

/** What every answer takes. */
export interface AnswerOptions {
  /** Tokens to report; `null` leaves usage out. @default one for four characters, rounded up */
  readonly usage?: TokenCount | null
  /** @default 'tool_calls' when there are calls, else 'stop' */
  readonly finishReason?: string | null
}

/** Options of {@link callTool} and {@link callTools}. */
export interface CallOptions extends AnswerOptions {
  /** Text beside the calls. @default null */
  readonly text?: string
}

/** Options of {@link raw}. */
export interface RawOptions {
  /** @default 200 */
  readonly status?: number
  /** Names in lower case. @default a content type that fits the body */
  readonly headers?: Readonly<Record<string, string>>
}

/** The model answers with a text. */
export function say(text: string, options: AnswerOptions = {}): Answer {
  return answer({ text, refusal: null, calls: [] }, options)
}

/**
 * The model calls one tool.
 *
 * @param args an object, or a string that is sent as it is (for arguments that are not JSON).
 */
export function callTool(
  name: string,
  args: JsonObject | string,
  options: CallOptions & { readonly id?: string } = {},
): Answer {
  const { id, ...rest } = options
  return callTools([id === undefined ? { name, args } : { name, args, id }], rest)
}

/** The model calls several tools at once. */
export function callTools(calls: readonly AnswerCall[], options: CallOptions = {}): Answer {
  return answer({ text: options.text ?? null, refusal: null, calls }, options)
}

/** The model refuses: the text stands in `refusal`, the content is null. */
export function refuse(text: string, options: AnswerOptions = {}): Answer {
  return answer({ text: null, refusal: text, calls: [] }, options)
}

/** The model answers with nothing: content null and no calls. */
export function empty(options: AnswerOptions = {}): Answer {
  return answer({ text: null, refusal: null, calls: [] }, options)
}

/**
 * Any response at all, sent alike to streamed and plain requests.
 *
 * @param body a string is sent as it is (as HTML, unless `headers` says otherwise), any other value
 * as JSON.
 */
export function raw(body: JsonValue, options: RawOptions = {}): RawReply {
  const isText = typeof body === 'string'
  const type = isText ? 'text/html; charset=utf-8' : 'application/json'
  return {
    kind: 'raw',
    status: options.status ?? 200,
    headers: { 'content-type': type, ...options.headers },
    body: isText ? body : JSON.stringify(body),
  }
}

/**
 * A stream of exactly these chunks, for what no well-behaved server sends: call deltas without an
 * index, an error in the middle, a chunk without choices.
 *
 * @param options.done whether `data: [DONE]` ends it. @default true
 */
export function sse(
  chunks: readonly JsonValue[],
  options: RawOptions & { readonly done?: boolean } = {},
): RawReply {
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  const end = options.done === false ? '' : 'data: [DONE]\n\n'
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', ...options.headers }
  return raw(events.join('') + end, { ...options, headers })
}

function answer(
  content: Pick<Answer, 'text' | 'refusal' | 'calls'>,
  options: AnswerOptions,
): Answer {
  const usual = content.calls.length > 0 ? 'tool_calls' : 'stop'
  return {
    kind: 'answer',
    ...content,
    finishReason: options.finishReason === undefined ? usual : options.finishReason,
    usage: options.usage === undefined ? 'estimate' : options.usage,
  }
}
