import { z } from 'zod'
import { isObject, type JsonObject, type JsonValue, wellFormedJson } from '../contract/json.js'
import { DefinitionError } from './definition-error.js'

/** zod types that no JSON text can hold, so no model could send them. */
const UNREPRESENTABLE = new Set([
  'bigint',
  'custom',
  'date',
  'file',
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
      const type = unrepresentableType(zodSchema)
      if (type !== null) throw unrepresentable(owner, path, type)
    },
  }) as JsonObject
  // Descriptions and enums are the user's own text, and go into every request.
  return withObjectRoot(wellFormedJson(json) as JsonObject, owner)
}

function unrepresentableType({ _zod: { def } }: z.core.$ZodType): string | null {
  if (def.type !== 'literal') return UNREPRESENTABLE.has(def.type) ? def.type : null
  const { values } = def as z.core.$ZodLiteralDef<z.core.util.Literal>
  const odd = values.map((value) => typeof value).find((type) => UNREPRESENTABLE.has(type))
  return odd === undefined ? null : `${odd} literal`
}

function unrepresentable(owner: string, path: readonly (string | number)[], type: string) {
  const place = ['input', ...fieldPath(path)].join('.')
  return new DefinitionError(
    `${owner}: ${place} is a ${type}, which JSON cannot hold. Take a string or number and convert it: with a zod transform or codec, or in execute.`,
  )
}

/** The way to a field in the words of the user: `properties` of the JSON schema is none of them. */
function fieldPath(path: readonly (string | number)[]): (string | number)[] {
  const [first, second, ...rest] = path
  if (first === undefined) return []
  if (first === 'properties' && second !== undefined) return [second, ...fieldPath(rest)]
  return [first, ...fieldPath(path.slice(1))]
}

/** Providers demand `type: "object"` at the root; a reference or a union of objects has it further in. */
function withObjectRoot(json: JsonObject, owner: string): JsonObject {
  const definitions = isObject(json['definitions']) ? json['definitions'] : {}
  if (!isObjectSchema(json, definitions)) {
    throw new DefinitionError(`${owner}: input must be an object schema, such as z.object({ … }).`)
  }
  const { $ref, ...rest } = json
  const root = $ref === undefined ? {} : referenced($ref, definitions)
  return { type: 'object', ...root, ...rest }
}

function isObjectSchema(json: JsonValue | undefined, definitions: JsonObject): boolean {
  if (!isObject(json)) return false
  if (json['type'] === 'object') return true
  if (json['$ref'] !== undefined)
    return isObjectSchema(referenced(json['$ref'], definitions), definitions)
  const branches = json['anyOf'] ?? json['oneOf'] ?? json['allOf']
  return Array.isArray(branches) && branches.every((branch) => isObjectSchema(branch, definitions))
}

function referenced(ref: JsonValue, definitions: JsonObject): JsonObject {
  const name = String(ref).replace('#/definitions/', '').replaceAll('~1', '/').replaceAll('~0', '~')
  const found = definitions[name]
  return isObject(found) ? found : {}
}
