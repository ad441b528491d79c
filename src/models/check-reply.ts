import { z } from 'zod'
import type { RawReply } from './model.js'
import { ModelError } from './model-error.js'

const count = z.number().nonnegative()
const shape = z.looseObject({
  text: z.string(),
  calls: z.array(z.looseObject({ name: z.string() })),
  finish: z.enum(['stop', 'length', 'content_filter', 'refusal', 'context_length']),
  tokens: z.looseObject({ promptTokens: count, completionTokens: count }).nullable(),
  adapted: z.array(z.string()).optional(),
})

/**
 * The reply of a model, which may be of the user's own making.
 *
 * @throws ModelError when it is none
 */
export function checkReply(reply: RawReply): RawReply {
  const { error } = shape.safeParse(reply)
  if (error === undefined) return reply
  const places = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new ModelError(`The model's reply is none: ${places.join('; ')}`, {
    status: null,
    code: 'malformed_reply',
  })
}
