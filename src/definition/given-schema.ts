import { z } from 'zod'
import { isObject, type JsonObject, wellFormedJson } from '../contract/json.js'
import { DefinitionError } from './definition-error.js'

/** A JSON schema that a user wrote, and the check that it means. */
export interface GivenSchema {
  readonly plain: JsonObject
  readonly check: z.ZodType
}

/**
 * Reads a JSON schema, draft 7 or 2020-12, with `type: 'object'` at its root.
 *
 * @throws DefinitionError when the root is no object, or when there is something in it that could not be
 * checked (`not`, `if`, a reference to elsewhere …)
 */
export function readJsonSchema(given: object, owner: string): GivenSchema {
  const plain = plainJson(given, owner)
  if (plain['type'] !== 'object') {
    throw new DefinitionError(`${owner}: inputSchema must have type "object" at its root.`)
  }
  return { plain, check: toZod(plain, owner) }
}

function plainJson(given: object, owner: string): JsonObject {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(given))
    const json = isObject(copy) ? wellFormedJson(copy) : copy
    // The draft is read off the keywords; servers choke on what they do not know.
    if (isObject(json))
      return Object.fromEntries(Object.entries(json).filter(([k]) => k !== '$schema'))
  } catch {
    // A circle or a bigint: told below.
  }
  throw new DefinitionError(`${owner}: inputSchema is no JSON.`)
}

function toZod(plain: JsonObject, owner: string): z.ZodType {
  try {
    return z.fromJSONSchema(plain as z.core.JSONSchema.JSONSchema, {
      defaultTarget: '$defs' in plain ? 'draft-2020-12' : 'draft-7',
      // Of its own: the `id` of a schema must be the only one in zod's.
      registry: z.registry(),
    })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new DefinitionError(`${owner}: inputSchema cannot be checked: ${why}`, { cause })
  }
}
