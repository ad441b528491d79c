import type { JsonObject, JsonValue } from '../../../../src/contract/json.js'

// OpenAI's rules for strict schemas, written down again without a look at src/definition:
// https://platform.openai.com/docs/guides/structured-outputs, and the errors that people report.

/** Keywords beside `description`, by what a schema is. */
const KEYWORDS: Record<string, readonly string[]> = {
  $ref: ['$ref'],
  anyOf: ['anyOf'],
  object: ['type', 'properties', 'required', 'additionalProperties'],
  array: ['type', 'items', 'minItems', 'maxItems'],
  string: ['type', 'enum', 'const', 'format', 'pattern'],
  number: ['type', 'enum', 'const', ...numberLimits()],
  integer: ['type', 'enum', 'const', ...numberLimits()],
  boolean: ['type', 'enum', 'const'],
  null: ['type'],
}
const FORMATS = 'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' ')

function numberLimits(): string[] {
  return ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
}

interface Walk {
  readonly definitions: JsonObject
  readonly found: string[]
  readonly count: { properties: number; enumValues: number; chars: number }
}

/** What OpenAI would refuse in the parameters of a strict function; empty when it takes them. */
export function strictViolations(root: JsonObject): string[] {
  const { $defs = {}, ...top } = root
  const definitions = $defs as JsonObject
  const walk: Walk = { definitions, found: [], count: { properties: 0, enumValues: 0, chars: 0 } }
  if (root['type'] !== 'object') walk.found.push('#: the root is no object')
  visit(top, { path: '#', level: 0 }, walk)
  for (const [name, schema] of Object.entries(definitions)) {
    if (!/^[\w-]+$/.test(name)) walk.found.push(`$defs: odd name ${name}`)
    walk.count.chars += name.length
    visit(schema, { path: `$defs/${name}`, level: 0 }, walk)
  }
  const { properties, enumValues, chars } = walk.count
  if (properties > 5_000) walk.found.push(`${properties} properties`)
  if (enumValues > 1_000) walk.found.push(`${enumValues} enum values`)
  if (chars > 120_000) walk.found.push(`${chars} characters`)
  return walk.found
}

interface Place {
  readonly path: string
  readonly level: number
}

type Check = (schema: JsonObject, place: Place, walk: Walk) => void

const CHECKS: Record<string, Check> = {
  $ref: checkRef,
  anyOf: checkAnyOf,
  object: checkObject,
  array: checkArray,
  string: checkScalar,
  number: checkScalar,
  integer: checkScalar,
  boolean: checkScalar,
  null: () => undefined,
}

function visit(schema: JsonValue | undefined, place: Place, walk: Walk): void {
  const refuse = (what: string) => walk.found.push(`${place.path}: ${what}`)
  const kind = isSchema(schema) ? kindOf(schema) : null
  const check = kind === null ? undefined : CHECKS[kind]
  if (!isSchema(schema) || kind === null || check === undefined) {
    refuse(`one of type, anyOf, $ref is wanted, not ${JSON.stringify(schema)}`)
    return
  }
  for (const keyword of Object.keys(schema)) {
    const allowed = keyword === 'description' && kind !== '$ref'
    if (!allowed && !KEYWORDS[kind]?.includes(keyword)) refuse(`${keyword} is not permitted`)
  }
  if (!['undefined', 'string'].includes(typeof schema['description'])) refuse('odd description')
  check(schema, place, walk)
}

function isSchema(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function kindOf(schema: JsonObject): string | null {
  const kinds = ['$ref', 'anyOf', 'type'].filter((keyword) => keyword in schema)
  if (kinds.length !== 1) return null
  const { type } = schema
  if (type === undefined) return kinds[0] ?? null
  const [first, second, ...more] = Array.isArray(type) ? type : [type, 'null']
  return typeof first === 'string' && second === 'null' && more.length === 0 ? first : null
}

function checkRef({ $ref }: JsonObject, { path }: Place, { definitions, found }: Walk): void {
  const name = /^#\/\$defs\/([\w-]+)$/.exec(String($ref))?.[1]
  if (name === undefined || !Object.hasOwn(definitions, name)) found.push(`${path}: no ${$ref}`)
}

function checkArray({ items }: JsonObject, { path, level }: Place, walk: Walk): void {
  if (level + 1 > 10) walk.found.push(`${path}: too deep`)
  visit(items, { path: `${path}/items`, level: level + 1 }, walk)
}

function checkAnyOf({ anyOf }: JsonObject, { path, level }: Place, walk: Walk): void {
  if (!Array.isArray(anyOf) || anyOf.length === 0) {
    walk.found.push(`${path}: an empty anyOf`)
    return
  }
  const firsts = new Map<string, JsonValue[]>()
  anyOf.forEach((branch: JsonValue, i: number) => {
    visit(branch, { path: `${path}/anyOf/${i}`, level }, walk)
    const ref = String((branch as JsonObject)['$ref'] ?? '').slice('#/$defs/'.length)
    const object = (ref === '' ? branch : walk.definitions[ref]) as JsonObject
    const [first] = Object.entries((object?.['properties'] ?? {}) as Record<string, JsonObject>)
    if (first === undefined) return
    const [key, { const: only, enum: values }] = first
    const told = (only === undefined ? (values ?? ['?']) : [only]) as JsonValue[]
    const before = firsts.get(key) ?? []
    if (before.length > 0 && [...told, ...before].includes('?')) {
      walk.found.push(`${path}: identical first keys ${key}`)
    }
    if (told.some((value) => before.includes(value))) walk.found.push(`${path}: same ${key}`)
    firsts.set(key, [...before, ...told])
  })
}

function checkObject(schema: JsonObject, { path, level }: Place, walk: Walk): void {
  const { properties, required, additionalProperties } = schema
  if (level + 1 > 10) walk.found.push(`${path}: too deep`)
  if (additionalProperties !== false) walk.found.push(`${path}: additionalProperties must be false`)
  if (!isSchema(properties)) {
    walk.found.push(`${path}: no properties`)
    return
  }
  const names = Object.keys(properties)
  if (JSON.stringify(required) !== JSON.stringify(names)) {
    walk.found.push(`${path}: required must name every property`)
  }
  walk.count.properties += names.length
  walk.count.chars += names.join('').length
  for (const name of names) {
    visit(properties[name], { path: `${path}/${name}`, level: level + 1 }, walk)
  }
}

function checkScalar(schema: JsonObject, { path }: Place, { found, count }: Walk): void {
  const refuse = (what: string) => found.push(`${path}: ${what}`)
  checkText(schema, refuse)
  const { type } = schema
  const types: readonly JsonValue[] = Array.isArray(type) ? type : [type ?? '']
  const values = valuesOf(schema, refuse)
  for (const value of values) {
    const named = value === null ? 'null' : typeof value
    const fits = types.includes(named) || (named === 'number' && types.includes('integer'))
    if (!fits) refuse(`enum value ${value} does not validate against ${types}`)
  }
  if (values.length > 0 && types.includes('null') && !values.includes(null)) {
    refuse('nullable, and null is not among the values')
  }
  const chars = values.map(String).join('').length
  if (values.length > 250 && chars > 15_000) refuse('a large enum')
  count.enumValues += values.length
  count.chars += chars
}

function checkText({ format, pattern }: JsonObject, refuse: (what: string) => void): void {
  if (format !== undefined && !FORMATS.includes(String(format))) refuse(`format ${format}`)
  for (const part of ['(?=', '(?!', '(?<=', '(?<!', '\\b', '\\p{', '\\1']) {
    if (String(pattern ?? '').includes(part)) refuse(`pattern with ${part}`)
  }
}

function valuesOf(schema: JsonObject, refuse: (what: string) => void): readonly JsonValue[] {
  const { enum: list, const: only } = schema
  if (list === undefined) return only === undefined ? [] : [only]
  if (!Array.isArray(list) || list.length === 0 || only !== undefined) refuse('an odd enum')
  const values = Array.isArray(list) ? (list as readonly JsonValue[]) : []
  if (new Set(values).size !== values.length) refuse('an enum value twice')
  return values
}
