import { z } from 'zod'
import { isObject } from '../contract/json.js'
import { shorten } from '../contract/text.js'

/** Characters of an explanation at most. */
const MAX_CHARS = 200

/** Checks a value by a user's schema, whose own functions may throw: that is a value that does not fit. */
export async function check(
  schema: z.ZodType,
  value: unknown,
): Promise<z.ZodSafeParseResult<unknown>> {
  try {
    return await schema.safeParseAsync(bare(value))
  } catch {
    const issue = { code: 'custom', path: [], message: 'the schema cannot read them', input: value }
    return { success: false, error: new z.ZodError([issue as z.core.$ZodIssue]) }
  }
}

/**
 * The same JSON on objects that inherit nothing: else a schema's optional field `constructor` would find
 * the inherited function where the model sent nothing.
 */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare)
  if (!isObject(value)) return value
  const copy: Record<string, unknown> = Object.create(null)
  for (const [key, inner] of Object.entries(value)) copy[key] = bare(inner)
  return copy
}

/** What is wrong with arguments, for the model, in 200 characters at most. */
export function explain(issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`,
  )
  return shorten(`The arguments do not fit: ${lines.join('; ')}`.toWellFormed(), MAX_CHARS)
}
