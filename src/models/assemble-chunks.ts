import { z } from 'zod'
import { isObject } from '../contract/json.js'
import { addCallDelta, type OpenCall } from './assemble-calls.js'
import { errorInBody } from './error-in-body.js'

const text = z.string().nullish().catch(null)
const callDelta = z.looseObject({
  index: z.number().nullish().catch(null),
  id: text,
  function: z.looseObject({ name: text, arguments: z.unknown().optional() }).nullish().catch(null),
})
const delta = z.looseObject({
  content: text,
  refusal: text,
  tool_calls: z.array(callDelta.nullish().catch(null)).nullish().catch(null),
  function_call: z
    .looseObject({ name: text, arguments: z.unknown().optional() })
    .nullish()
    .catch(null),
})
const chunk = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        index: z.number().nullish().catch(null),
        delta: delta.nullish().catch(null),
        // Some servers put the whole message into their last or only chunk.
        message: delta.nullish().catch(null),
        finish_reason: z.unknown().optional(),
      }),
    )
    .nullish()
    .catch(null),
  usage: z.unknown().optional(),
})

type Delta = z.infer<typeof delta>

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
  const message = { content: '', refusal: '', calls: [] as OpenCall[], legacy: [] as OpenCall[] }
  let finish: unknown = null
  let usage: unknown
  let choices = 0
  for (const raw of chunks) {
    const error = errorInBody(raw)
    if (error !== null) throw error
    const read = chunk.safeParse(raw)
    if (isObject(read.data?.usage)) usage = read.data.usage
    for (const choice of read.data?.choices ?? []) {
      if ((choice.index ?? 0) !== 0) continue
      choices++
      addDelta(message, choice.delta ?? choice.message)
      finish = choice.finish_reason ?? finish
    }
  }
  const { content, refusal } = message
  const calls = [...message.calls, ...message.legacy]
  const tool_calls = calls.map(({ name, args }) => ({ function: { name, arguments: args } }))
  const whole = { message: { content, refusal, tool_calls }, finish_reason: finish }
  return {
    completion: { choices: choices === 0 ? [] : [whole], usage },
    finished: finish !== null,
  }
}

function addDelta(
  message: { content: string; refusal: string; calls: OpenCall[]; legacy: OpenCall[] },
  part: Delta | null | undefined,
): void {
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
