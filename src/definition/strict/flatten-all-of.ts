import { canonicalJson, isObject, type JsonObject, type JsonValue } from '../../contract/json.js'
import { SCALAR_TYPES } from './nullable-schema.js'

/** A definition of a JSON schema, and the name that it gets in the strict one. */
export interface Definition {
  readonly name: string
  readonly schema: JsonObject
}

/** Definitions by the text of their references, such as `#/definitions/Node`; the root is `#`. */
export type Definitions = ReadonlyMap<string, Definition>

const SHAPE_KEYWORDS = [
  '$ref',
  'type',
  'anyOf',
  'oneOf',
  'enum',
  'const',
  'properties',
  'additionalProperties',
  'items',
]

/** True when the schema itself says what a value may be, beside what its branches say. */
export function hasShape(schema: JsonObject): boolean {
  return SHAPE_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword))
}

/**
 * The same schema without `allOf`, which strict mode does not know: objects become one, of the limits on a
 * text or number the first of a kind stays (zod checks all of them).
 *
 * @returns null when that is not possible
 */
export function flattenAllOf(schema: JsonObject, definitions: Definitions): JsonObject | null {
  return flatten(schema, definitions, new Set())
}

function flatten(
  schema: JsonObject,
  definitions: Definitions,
  seen: ReadonlySet<string>,
): JsonObject | null {
  const { allOf, ...own } = schema
  if (allOf === undefined) return schema
  const branches: readonly JsonValue[] = Array.isArray(allOf) ? allOf : []
  const [first, ...rest] = hasShape(own) ? [own, ...branches] : branches
  // How zod says "this definition, with another description": the reference stays one.
  if (rest.length === 0 && isObject(first)) {
    const only = flatten(first, definitions, seen)
    return only === null ? null : { ...only, ...own }
  }
  let merged = resolve(first, definitions, seen)
  for (const branch of rest) merged = merge(merged, resolve(branch, definitions, seen))
  return merged === null ? null : { ...merged, ...annotations(own) }
}

function resolve(
  schema: JsonValue | undefined,
  definitions: Definitions,
  seen: ReadonlySet<string>,
): JsonObject | null {
  if (!isObject(schema)) return null
  const flat = flatten(schema, definitions, seen)
  const ref = flat?.['$ref']
  if (ref === undefined) return flat
  const found = definitions.get(String(ref))
  if (found === undefined || seen.has(String(ref))) return null
  return resolve(found.schema, definitions, new Set([...seen, String(ref)]))
}

function annotations({ description, default: fallback }: JsonObject): JsonObject {
  return {
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
  }
}

function merge(a: JsonObject | null, b: JsonObject | null): JsonObject | null {
  if (a === null || b === null || a['type'] !== b['type']) return null
  if (SCALAR_TYPES.has(a['type'])) return { ...b, ...a }
  return a['type'] === 'object' && [a, b].every(isPlainObject) ? mergeObjects(a, b) : null
}

function isPlainObject({ anyOf, oneOf, additionalProperties = false }: JsonObject): boolean {
  return anyOf === undefined && oneOf === undefined && additionalProperties === false
}

function mergeObjects(a: JsonObject, b: JsonObject): JsonObject | null {
  const [one, other] = [propertiesOf(a), propertiesOf(b)]
  const differ = ([name, schema]: [string, JsonValue]) =>
    Object.hasOwn(one, name) && canonicalJson(one[name] ?? null) !== canonicalJson(schema)
  if (Object.entries(other).some(differ)) return null
  return {
    ...b,
    ...a,
    properties: { ...one, ...other },
    required: [...new Set([...requiredOf(a), ...requiredOf(b)])],
  }
}

/** The properties of an object schema; none when it names none. */
export function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {}
}

/** The names of the properties that an object schema requires. */
export function requiredOf({ required }: JsonObject): readonly JsonValue[] {
  return Array.isArray(required) ? required : []
}
