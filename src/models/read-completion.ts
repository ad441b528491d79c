import { z } from 'zod'
import type { Finish, TokenCount } from '../contract/reply.js'
import { errorInBody } from './error-in-body.js'
import type { RawReply } from './model.js'
import { ModelError } from './model-error.js'

const text = z.union([
  z.string(),
  // Some servers answer with parts, as in a request.
  z
    .array(z.looseObject({ text: z.string().nullish() }))
    .transform((parts) => parts.map((part) => part.text ?? '').join('')),
])
const call = z.looseObject({
  name: z.string().nullish().catch(null),
  arguments: z.unknown().optional(),
})
const count = z.int().nonnegative().nullish().catch(null)
const message = z.looseObject({
  content: text.nullish().catch(null),
  refusal: z.string().nullish().catch(null),
  tool_calls: z
    // One entry that is none must not cost the others: it stays, as a call of a tool without a name.
    .array(z.looseObject({ function: call.nullish() }).nullish().catch(null))
    .nullish()
    .catch(null),
  function_call: call.nullish().catch(null),
})
const completion = z.looseObject({
  choices: z.array(z.looseObject({ finish_reason: z.unknown().optional(), message })).min(1),
  usage: z.looseObject({ prompt_tokens: count, completion_tokens: count }).nullish().catch(null),
})

/**
 * Reads a chat completion, whatever a server calls one. What the message holds decides; its
 * finish_reason is believed only where the message does not say.
 *
 * @throws ModelError when the body is no completion: an error with status 200, HTML, no choices
 */
export function readCompletion(body: unknown): RawReply {
  const error = errorInBody(body)
  if (error !== null) throw error
  const read = completion.safeParse(body)
  const choice = read.data?.choices[0]
  if (!read.success || choice === undefined) throw notACompletion(body)
  const { content, refusal, tool_calls, function_call } = choice.message
  const raw = tool_calls?.length
    ? tool_calls.map((entry) => entry?.function)
    : function_call
      ? [function_call]
      : []
  return {
    text: content || refusal || '',
    calls: raw.map((entry) => ({ name: entry?.name ?? '', arguments: entry?.arguments })),
    finish: finishOf(choice.finish_reason, refusal ?? ''),
    tokens: tokensOf(read.data.usage),
  }
}

function finishOf(reason: unknown, refusal: string): Finish {
  if (reason === 'content_filter') return 'content_filter'
  if (refusal !== '') return 'refusal'
  return reason === 'length' ? 'length' : 'stop'
}

function tokensOf(usage: z.infer<typeof completion>['usage']): TokenCount | null {
  if (typeof usage?.prompt_tokens !== 'number') return null
  return { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens ?? 0 }
}

function notACompletion(body: unknown): ModelError {
  const shown = typeof body === 'string' ? body : (JSON.stringify(body) ?? 'nothing')
  return new ModelError(`The server's answer is no chat completion: ${shown}`, {
    status: null,
    code: 'malformed_reply',
  })
}
