import type { JsonObject, JsonValue } from '../../contract/json.js'

/** Types whose values hold no others. */
export const SCALAR_TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'null',
])

const NULL: JsonObject = { type: 'null' }

/** The strict schema that takes null as well: how strict mode says "may be left out". */
export function nullable(schema: JsonObject): JsonObject {
  if (takesNull(schema)) return schema
  const { anyOf, type, description, ...rest } = schema
  const described = description === undefined ? {} : { description }
  if (Array.isArray(anyOf)) return { ...described, anyOf: [...anyOf, NULL] }
  if (typeof type === 'string' && SCALAR_TYPES.has(type)) {
    return { type: [type, 'null'], ...described, ...withNull(rest) }
  }
  return { ...described, anyOf: [type === undefined ? rest : { type, ...rest }, NULL] }
}

function withNull({ const: only, enum: values, ...rest }: JsonObject): JsonObject {
  if (only !== undefined) return { ...rest, enum: [only, null] }
  return Array.isArray(values) ? { ...rest, enum: [...values, null] } : rest
}

function takesNull({ type, anyOf }: JsonObject): boolean {
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true
  if (!Array.isArray(anyOf)) return false
  return (anyOf as readonly JsonValue[]).some((branch) => takesNull(branch as JsonObject))
}
