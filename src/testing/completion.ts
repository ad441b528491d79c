import type { TokenCount } from '../contract/reply.js'
import type { Answer } from './reply.js'
import type { ChatRequest, ChatToolCall } from './wire.js'

/** What a reply is made for. Ids and times derive from it: the same test gives the same bytes. */
export interface ReplyContext {
  readonly request: ChatRequest
  /** Requests that got a reply before this one. */
  readonly index: number
}

/** Characters of one text delta, and of one piece of arguments. */
const PIECE = 16

/** Seconds since the epoch; any fixed time does. */
const FIRST_CREATED = 1_700_000_000

/** The JSON text of a whole completion. */
export function completionJson(answer: Answer, context: ReplyContext): string {
  const calls = toolCalls(answer, context)
  const message = {
    role: 'assistant',
    content: answer.text,
    refusal: answer.refusal,
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  const usage = usageOf(answer, context)
  return JSON.stringify({
    ...head(context, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: answer.finishReason }],
    ...(usage !== null && { usage }),
  })
}

/** The chunks of a streamed completion: those of the content, and those that end it. */
export interface Chunks {
  readonly content: readonly string[]
  /** The chunk with the finish reason, and the one with the usage if the request asked for it. */
  readonly end: readonly string[]
}

/** The JSON texts of the chunks of a completion. */
export function completionChunks(answer: Answer, context: ReplyContext): Chunks {
  const withUsage = context.request.stream_options?.include_usage === true
  const common = {
    ...head(context, 'chat.completion.chunk'),
    // OpenAI sends null in every chunk but the last.
    ...(withUsage && { usage: null }),
  }
  const chunk = (delta: object, finishReason: string | null = null): string =>
    JSON.stringify({
      ...common,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    })
  const usage = usageOf(answer, context)
  const last = chunk({}, answer.finishReason)
  return {
    content: deltas(answer, context).map((delta) => chunk(delta)),
    end:
      withUsage && usage !== null
        ? [last, JSON.stringify({ ...common, choices: [], usage })]
        : [last],
  }
}

function deltas(answer: Answer, context: ReplyContext): object[] {
  const content = answer.text === null ? null : ''
  return [
    { role: 'assistant', content, refusal: null },
    ...pieces(answer.text).map((text) => ({ content: text })),
    ...pieces(answer.refusal).map((refusal) => ({ refusal })),
    ...toolCalls(answer, context).flatMap((call, index) => [
      { tool_calls: [{ index, ...call, function: { ...call.function, arguments: '' } }] },
      ...pieces(call.function.arguments).map((text) => ({
        tool_calls: [{ index, function: { arguments: text } }],
      })),
    ]),
  ]
}

function head({ request, index }: ReplyContext, object: string): object {
  return {
    id: `chatcmpl-${index}`,
    object,
    created: FIRST_CREATED + index,
    model: typeof request.model === 'string' ? request.model : 'unknown',
  }
}

function toolCalls(answer: Answer, { index }: ReplyContext): ChatToolCall[] {
  return answer.calls.map(({ name, args, id }, place) => ({
    id: id ?? `call_${index}_${place}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }))
}

function usageOf(answer: Answer, context: ReplyContext): object | null {
  const tokens = answer.usage === 'estimate' ? estimate(answer, context) : answer.usage
  if (tokens === null) return null
  return {
    prompt_tokens: tokens.promptTokens,
    completion_tokens: tokens.completionTokens,
    total_tokens: tokens.promptTokens + tokens.completionTokens,
  }
}

function estimate(answer: Answer, context: ReplyContext): TokenCount {
  const { messages, tools = [] } = context.request
  const calls = toolCalls(answer, context).map((call) => call.function)
  const written = [
    answer.text ?? '',
    answer.refusal ?? '',
    ...calls.flatMap((call) => [call.name, call.arguments]),
  ]
  return {
    promptTokens: Math.ceil(JSON.stringify([messages, tools]).length / 4),
    completionTokens: Math.ceil(written.join('').length / 4),
  }
}

function pieces(text: string | null): string[] {
  // Code points, not UTF-16 units: a delta with half a surrogate pair would not survive the wire.
  const points = Array.from(text ?? '')
  const count = Math.ceil(points.length / PIECE)
  return Array.from({ length: count }, (_, i) => points.slice(i * PIECE, (i + 1) * PIECE).join(''))
}
