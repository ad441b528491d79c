import { z } from 'zod'
import { isObject } from '../contract/json.js'
import { addCallDelta, type OpenCall } from './assemble-calls.js'
import { errorInBody } from './error-in-body.js'

const text = z.string().nullish().catch(null)
const content = z
  .union([
    z.string(),
    // Some servers send parts, as in a request.
    z
      .array(z.looseObject({ text: z.string().nullish() }))
      .transform((parts) => parts.map((part) => part.text ?? '').join('')),
  ])
  .nullish()
  .catch(null)
const callDelta = z.looseObject({
  index: z.number().nullish().catch(null),
  id: text,
  function: z.looseObject({ name: text, arguments: z.unknown().optional() }).nullish().catch(null),
})
const delta = z.looseObject({
  content,
  refusal: text,
  tool_calls: z.array(callDelta.nullish().catch(null)).nullish().catch(null),
  function_call: z
    .looseObject({ name: text, arguments: z.unknown().optional() })
    .nullish()
    .catch(null),
})
const choice = z.looseObject({
  index: z.number().nullish().catch(null),
  delta: delta.nullish().catch(null),
  // Some servers put the whole message into their last or only chunk.
  message: delta.nullish().catch(null),
  finish_reason: z.unknown().optional(),
})
const chunk = z.looseObject({
  choices: z.array(choice).nullish().catch(null),
  usage: z.unknown().optional(),
})

type Delta = z.infer<typeof delta>
type Choice = z.infer<typeof choice>

/** A completion put together from the chunks of a stream. */
export interface Assembled {
  /** In the form of a completion that came as one document. */
  readonly completion: unknown
  /** Whether a finish reason came. */
  readonly finished: boolean
}

/**
 * Puts the chunks of a stream together, whatever a server leaves out of them: indexes, ids, roles.
 *
 * @throws ModelError for an error that was sent in the middle of the stream
 */
export function assembleChunks(chunks: readonly unknown[]): Assembled {
  const open: OpenCompletion = { message: null, finish: null }
  let usage: unknown
  for (const raw of chunks) {
    const error = errorInBody(raw)
    if (error !== null) throw error
    const read = chunk.safeParse(raw)
    if (isObject(read.data?.usage)) usage = read.data.usage
    for (const part of read.data?.choices ?? []) {
      if ((part.index ?? 0) === 0) addChoice(open, part)
    }
  }
  return { completion: { choices: choicesOf(open), usage }, finished: open.finish !== null }
}

interface OpenCompletion {
  /** Null before the first choice. */
  message: OpenMessage | null
  finish: unknown
}

function addChoice(open: OpenCompletion, { delta, message, finish_reason }: Choice): void {
  // A whole message stands for all that came before; some servers send an empty one with each delta.
  const whole = holdsSomething(message) ? message : null
  open.message = whole !== null || open.message === null ? newMessage() : open.message
  addDelta(open.message, whole ?? delta)
  // An empty text is none: some servers send it with each chunk.
  open.finish = finish_reason || open.finish
}

function holdsSomething(part: Delta | null | undefined): part is Delta {
  const { content, refusal, tool_calls, function_call } = part ?? {}
  return Boolean(content || refusal || tool_calls?.length || function_call)
}

function choicesOf({ message, finish }: OpenCompletion): unknown[] {
  if (message === null) return []
  const { content, refusal } = message
  // Servers that send both forms mean one call.
  const calls = message.calls.length > 0 ? message.calls : message.legacy
  const tool_calls = calls.map(({ name, args }) => ({ function: { name, arguments: args } }))
  return [{ message: { content, refusal, tool_calls }, finish_reason: finish }]
}

interface OpenMessage {
  content: string
  refusal: string
  readonly calls: OpenCall[]
  readonly legacy: OpenCall[]
}

function newMessage(): OpenMessage {
  return { content: '', refusal: '', calls: [], legacy: [] }
}

function addDelta(message: OpenMessage, part: Delta | null | undefined): void {
  message.content += part?.content ?? ''
  message.refusal += part?.refusal ?? ''
  for (const call of part?.tool_calls ?? []) {
    if (call !== null && call !== undefined) {
      const { name, arguments: args } = call.function ?? {}
      addCallDelta(message.calls, { index: call.index, id: call.id, name, args })
    }
  }
  // The old form has one call, in a list of its own: it must not be taken for part of another.
  if (part?.function_call) {
    const { name, arguments: args } = part.function_call
    addCallDelta(message.legacy, { index: 0, id: null, name, args })
  }
}
