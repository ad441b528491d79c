import { z } from 'zod'
import { isObject, type JsonObject } from '../contract/json.js'
import { DefinitionError } from './definition-error.js'

/** zod types that no JSON text can hold, so no model could send them. */
const UNREPRESENTABLE = new Set([
  'bigint',
  'custom',
  'date',
  'function',
  'map',
  'nan',
  'promise',
  'set',
  'symbol',
  'undefined',
  'void',
])

/**
 * The JSON schema (draft 7) of what the model sends for `schema`: the input side, before transforms.
 *
 * @param owner names the tool in errors, such as `tool "lookup_order"`
 * @throws DefinitionError naming the field when JSON cannot hold a type, or when the root is no object
 */
export function toJsonSchema(schema: z.ZodType, owner: string): JsonObject {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ zodSchema, path }) => {
      const type = zodSchema._zod.def.type
      if (UNREPRESENTABLE.has(type)) throw unrepresentable(owner, path, type)
    },
  }) as JsonObject
  return withObjectRoot(json, owner)
}

function unrepresentable(owner: string, path: readonly (string | number)[], type: string) {
  const field = path.filter((part) => part !== 'properties').join('.')
  const place = field === '' ? 'input' : `input.${field}`
  return new DefinitionError(
    `${owner}: ${place} is a ${type}, which JSON cannot hold. Take a string or number and convert it in execute, or use a zod pipe or preprocess.`,
  )
}

/** Providers demand `type: "object"` at the root; a union of objects has it in its branches only. */
function withObjectRoot(json: JsonObject, owner: string): JsonObject {
  if (json['type'] === 'object') return json
  const branches = json['anyOf'] ?? json['oneOf'] ?? json['allOf']
  if (Array.isArray(branches) && branches.every((b) => isObject(b) && b['type'] === 'object')) {
    return { type: 'object', ...json }
  }
  throw new DefinitionError(`${owner}: input must be an object schema, such as z.object({ … }).`)
}
