import { canonicalJson, isObject, type JsonObject, type JsonValue } from '../../contract/json.js'
import {
  type Definition,
  type Definitions,
  flattenAllOf,
  hasShape,
  propertiesOf,
  requiredOf,
} from './flatten-all-of.js'
import { nullable } from './nullable-schema.js'
import { listKeywords, numberKeywords, textKeywords, withDescription } from './strict-keywords.js'
import { fitsStrictLimits } from './strict-limits.js'
import { subSchemas } from './sub-schemas.js'

/** Levels of JSON that are looked at: far above ten levels of schema, far below the end of the stack. */
const MAX_JSON_LEVELS = 200
/**
 * A tool's JSON schema (draft 7, as `toJsonSchema` makes it) in the strict form of OpenAI's structured
 * outputs: every property is required, one that may be left out takes null, no object takes more.
 * What strict mode cannot say of a value is left out where zod's own check makes up for it.
 *
 * @returns null when the schema has no strict form (records, tuples, any value, a union at the root, too large)
 */
export function toStrictSchema(json: JsonObject): JsonObject | null {
  if (!isShallow(json)) return null
  const { definitions: _, $defs: __, ...top } = json
  const definitions = definitionsOf(json, top)
  const root = strict(top, definitions)
  if (root?.['type'] !== 'object') return null
  const named = referenced(root, definitions)
  if (named === null) return null
  const schema = named.size === 0 ? root : { ...root, $defs: Object.fromEntries(named) }
  return fitsStrictLimits(schema) ? schema : null
}

function definitionsOf(json: JsonObject, top: JsonObject): Definitions {
  const found = new Map<string, Definition>()
  const names = new Set<string>()
  const add = (ref: string, wanted: string, schema: JsonValue) => {
    // Names may hold anything; servers that read them differ in what they unescape.
    const safe = wanted.replaceAll(/[^a-zA-Z0-9_-]/g, '_')
    const name = names.has(safe) ? `${safe}_${names.size}` : safe
    names.add(name)
    if (isObject(schema)) found.set(ref, { name, schema })
  }
  add('#', 'root', top)
  for (const keyword of ['definitions', '$defs']) {
    const group = json[keyword]
    for (const [name, schema] of Object.entries(isObject(group) ? group : {})) {
      add(`#/${keyword}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, name, schema)
    }
  }
  return found
}

/** The strict definitions that `root` refers to, directly or through another; null when one has none. */
function referenced(root: JsonObject, definitions: Definitions): Map<string, JsonObject> | null {
  const byName = new Map([...definitions.values()].map(({ name, schema }) => [name, schema]))
  const found = new Map<string, JsonObject>()
  const open = [root]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    open.push(...subSchemas(next))
    const ref = next['$ref']
    if (ref === undefined) continue
    const name = String(ref).replace('#/$defs/', '')
    if (found.has(name)) continue
    const schema = strict(byName.get(name), definitions)
    if (schema === null) return null
    found.set(name, schema)
    open.push(schema)
  }
  return found
}

function strict(json: JsonValue | undefined, definitions: Definitions): JsonObject | null {
  const schema = isObject(json) ? flattenAllOf(json, definitions) : null
  if (schema === null) return null
  const shape = shapeOf(schema, definitions)
  return shape === null ? null : withDescription(shape, schema)
}

/** The strict form without its description. */
function shapeOf(schema: JsonObject, definitions: Definitions): JsonObject | null {
  const { $ref, anyOf, oneOf, type } = schema
  if ($ref !== undefined) {
    const definition = definitions.get(String($ref))
    return definition === undefined ? null : { $ref: `#/$defs/${definition.name}` }
  }
  if (anyOf !== undefined || oneOf !== undefined) return union(schema, definitions)
  if (schema['const'] !== undefined || schema['enum'] !== undefined) return values(schema)
  const types: readonly JsonValue[] = Array.isArray(type) ? type : [type ?? 'any']
  return oneOfAll(types.map((one) => typed(one, schema, definitions)))
}

function union(schema: JsonObject, definitions: Definitions): JsonObject | null {
  const { anyOf, oneOf, ...own } = schema
  const branches = anyOf ?? oneOf
  if (!Array.isArray(branches) || hasShape(own) || (anyOf && oneOf)) return null
  return oneOfAll(branches.map((branch) => strict(branch, definitions)))
}

/** Any of the branches; null when there is none, or when one has no strict form. */
function oneOfAll(branches: readonly (JsonObject | null)[]): JsonObject | null {
  const flat = new Map<string, JsonObject>()
  for (const branch of branches) {
    if (branch === null) return null
    const inner = branch['description'] === undefined ? branch['anyOf'] : undefined
    const parts = Array.isArray(inner) ? (inner as readonly JsonObject[]) : [branch]
    for (const part of parts) flat.set(canonicalJson(part), part)
  }
  const rest = [...flat.values()].filter(({ type }) => type !== 'null')
  const [only] = rest
  if (only === undefined) return flat.size === 0 ? null : { type: 'null' }
  const shape = rest.length === 1 ? only : { anyOf: rest }
  return rest.length < flat.size ? nullable(shape) : shape
}

/** Constants by their type: strict mode wants one with each. */
function values(schema: JsonObject): JsonObject | null {
  const { const: only, enum: list, type } = schema
  if (only !== undefined) return oneOfAll([constants(only, type, { const: only })])
  const all: readonly JsonValue[] = Array.isArray(list) ? list : []
  const samples = new Map(all.map((value) => [value === null ? 'null' : typeof value, value]))
  return oneOfAll(
    [...samples.values()].map((sample) =>
      constants(sample, type, { enum: all.filter((value) => typeof value === typeof sample) }),
    ),
  )
}

function constants(
  sample: JsonValue,
  type: JsonValue | undefined,
  keyword: JsonObject,
): JsonObject | null {
  if (sample === null) return { type: 'null' }
  if (typeof sample === 'object') return null
  return { type: type === 'integer' ? 'integer' : typeof sample, ...keyword }
}

function typed(type: JsonValue, schema: JsonObject, definitions: Definitions): JsonObject | null {
  switch (type) {
    case 'string':
      return { type, ...textKeywords(schema) }
    case 'number':
    case 'integer':
      return { type, ...numberKeywords(schema) }
    case 'boolean':
    case 'null':
      return { type }
    case 'array': {
      // The items of a tuple are a list, and strict mode knows no tuples.
      const items = 'prefixItems' in schema ? null : strict(schema['items'], definitions)
      return items === null ? null : { type, items, ...listKeywords(schema) }
    }
    case 'object':
      return object(schema, definitions)
    default:
      return null
  }
}

function object(schema: JsonObject, definitions: Definitions): JsonObject | null {
  const { additionalProperties = false, patternProperties, propertyNames } = schema
  if (additionalProperties !== false || patternProperties || propertyNames) return null
  const given = propertiesOf(schema)
  const required = new Set(requiredOf(schema))
  if ([...required].some((name) => !Object.hasOwn(given, String(name)))) return null
  const properties: [string, JsonObject][] = []
  for (const [name, field] of Object.entries(given)) {
    const inner = strict(field, definitions)
    if (inner === null) return null
    properties.push([name, required.has(name) ? inner : nullable(inner)])
  }
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  }
}

/** Level by level, because recursion is what deep nesting breaks. */
function isShallow(json: JsonObject): boolean {
  let level: JsonValue[] = [json]
  for (let depth = 0; depth < MAX_JSON_LEVELS && level.length > 0; depth++) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values<JsonValue>(value) : [],
    )
  }
  return level.length === 0
}
