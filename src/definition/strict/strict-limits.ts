import { isObject, type JsonObject, type JsonValue } from '../../contract/json.js'
import { propertiesOf } from './flatten-all-of.js'
import { subSchemas } from './sub-schemas.js'

// The limits of https://platform.openai.com/docs/guides/structured-outputs, section "Supported schemas".
const MAX_PROPERTIES = 5_000
const MAX_LEVELS = 10
const MAX_ENUM_VALUES = 1_000
/** Characters of all names and values together. */
const MAX_CHARS = 120_000
/** An enum of more values than this may have `MAX_LARGE_ENUM_CHARS` characters. */
const LARGE_ENUM = 250
const MAX_LARGE_ENUM_CHARS = 15_000

/**
 * True when a strict schema keeps within OpenAI's limits. Objects and lists count as levels, each
 * definition from its own top: a recursive one has no depth.
 */
export function fitsStrictLimits(root: JsonObject): boolean {
  const definitions = isObject(root['$defs']) ? root['$defs'] : {}
  const schemas = [root, ...Object.values(definitions).filter(isObject)].flatMap((top) =>
    levels(top),
  )
  const enums = schemas.map(({ schema }) => valuesOf(schema))
  const names = schemas.flatMap(({ schema }) => Object.keys(propertiesOf(schema)))
  return (
    schemas.every(({ level }) => level <= MAX_LEVELS) &&
    schemas.every(({ schema }) => hasTellableBranches(schema, definitions)) &&
    enums.every((values) => values.length <= LARGE_ENUM || chars(values) <= MAX_LARGE_ENUM_CHARS) &&
    enums.flat().length <= MAX_ENUM_VALUES &&
    names.length <= MAX_PROPERTIES &&
    chars([...Object.keys(definitions), ...names, ...enums.flat()]) <= MAX_CHARS
  )
}

/** Every schema inside of `schema`, itself included, with its level. */
function levels(schema: JsonObject, above = 0): { schema: JsonObject; level: number }[] {
  const level = above + ('properties' in schema || 'items' in schema ? 1 : 0)
  return [{ schema, level }, ...subSchemas(schema).flatMap((inner) => levels(inner, level))]
}

/** What an enum or constant allows; nothing for any other schema. */
function valuesOf({ enum: values, const: only }: JsonObject): readonly JsonValue[] {
  if (only !== undefined) return [only]
  return Array.isArray(values) ? values : []
}

function chars(values: readonly JsonValue[]): number {
  return values.reduce<number>((sum, value) => sum + String(value).length, 0)
}

/**
 * OpenAI has refused objects in one `anyOf` whose first keys are the same ("must not share identical first
 * keys"), unless a constant there tells them apart: https://github.com/openai/openai-python/issues/2193
 */
function hasTellableBranches({ anyOf }: JsonObject, definitions: JsonObject): boolean {
  const branches: readonly JsonValue[] = Array.isArray(anyOf) ? anyOf : []
  const keys = branches.flatMap((branch) => firstKey(referenced(branch, definitions)))
  return keys.every(({ name, values }, i) =>
    keys.slice(0, i).every((before) => before.name !== name || areDisjoint(before.values, values)),
  )
}

function firstKey(schema: JsonObject): { name: string; values: readonly JsonValue[] }[] {
  const [first] = Object.entries(propertiesOf(schema))
  if (first === undefined) return []
  const [name, field] = first
  return [{ name, values: isObject(field) ? valuesOf(field) : [] }]
}

function areDisjoint(some: readonly JsonValue[], others: readonly JsonValue[]): boolean {
  if (some.length === 0 || others.length === 0) return false
  return !some.some((value) => others.includes(value))
}

function referenced(branch: JsonValue, definitions: JsonObject): JsonObject {
  if (!isObject(branch)) return {}
  const ref = branch['$ref']
  const found = ref === undefined ? branch : definitions[String(ref).replace('#/$defs/', '')]
  return isObject(found) ? found : {}
}
