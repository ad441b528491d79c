import { z } from 'zod'
import { DefinitionError } from './definition-error.js'

/**
 * Checks what a definition was called with, for callers without TypeScript and for values that types
 * cannot exclude.
 *
 * @throws DefinitionError with the path of each field that is wrong
 */
export function checkOptions(shape: z.ZodType, options: unknown, owner: string): void {
  const checked = shape.safeParse(options)
  if (checked.success) return
  const lines = checked.error.issues.map((issue) => {
    const path = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
    return `${path}${issue.message}`
  })
  throw new DefinitionError(`${owner}: ${lines.join('; ')}`)
}

/** A zod schema that takes any function. */
export const anyFunction = z.custom<(...args: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
)

/** A zod schema that takes any zod schema of this copy of zod. */
export const anySchema = z.custom<z.ZodType>(
  (value) => value instanceof z.ZodType,
  'must be a zod schema (zod 4)',
)
