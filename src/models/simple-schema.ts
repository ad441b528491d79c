import { isObject, type JsonObject, type JsonValue } from '../contract/json.js'

/** References inside of references that are followed: many types that refer to each other would fill the prompt. */
const MAX_REFERENCES = 3

/**
 * A JSON schema reduced to `type`, `properties` and `required`, for models and servers that choke on more.
 * What takes null leaves `required`, of a union the first branch stays, recursion ends in an object.
 */
export function toSimpleSchema(json: JsonObject): JsonObject {
  const { type: _, ...root } = simple(json, { root: json, seen: new Set(['#']) })
  return { type: 'object', properties: {}, ...root }
}

interface Place {
  readonly root: JsonObject
  /** References that are being resolved. */
  readonly seen: ReadonlySet<string>
}

function simple(json: JsonValue | undefined, place: Place): JsonObject {
  if (!isObject(json)) return { type: 'string' }
  const { $ref, allOf, anyOf, oneOf, ...own } = json
  if ($ref !== undefined) return resolved(String($ref), place)
  if (isList(allOf)) return merged([own, ...allOf].filter(saysMore), place)
  const branches = anyOf ?? oneOf
  const branch = isList(branches)
    ? (branches.find((one) => !isNull(one)) ?? branches[0])
    : undefined
  const type = typeOf(json)
  if (branch !== undefined && json['properties'] === undefined) return simple(branch, place)
  return type === 'object' ? object(json, place) : { type }
}

function resolved(ref: string, { root, seen }: Place): JsonObject {
  const target = seen.has(ref) || seen.size > MAX_REFERENCES ? undefined : lookup(ref, root)
  return target === undefined
    ? { type: 'object' }
    : simple(target, { root, seen: new Set([...seen, ref]) })
}

function lookup(ref: string, root: JsonObject): JsonValue | undefined {
  const path = ref.split('/').slice(1)
  return path.reduce<JsonValue | undefined>((value, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }, root)
}

/** The parts of an `allOf`: all properties of objects, of anything else the first. */
function merged(parts: readonly JsonValue[], place: Place): JsonObject {
  const [first = { type: 'string' }, ...rest] = parts.map((part) => simple(part, place))
  if (first['type'] !== 'object') return first
  const properties = [first, ...rest].map((part) => part['properties']).filter(isObject)
  const required = [first, ...rest].flatMap((part) => listOf(part['required']))
  return {
    type: 'object',
    ...(properties.length === 0
      ? {}
      : { properties: Object.fromEntries(properties.flatMap(Object.entries)) }),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  }
}

function object({ properties, required }: JsonObject, place: Place): JsonObject {
  if (!isObject(properties)) return { type: 'object' }
  const kept = listOf(required).filter((name) => !takesNull(properties[String(name)], place.root))
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, simple(field, place)]),
    ),
    ...(kept.length === 0 ? {} : { required: kept }),
  }
}

/** The type that is said, or that the constants have; a text where nothing is said. */
function typeOf({ type, enum: values, const: only, properties }: JsonObject): string {
  const types = isList(type) ? type : type === undefined ? [] : [type]
  const named = types.find((one) => one !== 'null')
  if (typeof named === 'string') return named
  if (properties !== undefined) return 'object'
  const sample = only ?? listOf(values).find((value) => value !== null)
  if (sample === undefined) return types.length > 0 ? 'null' : 'string'
  return isList(sample) ? 'array' : typeof sample
}

function takesNull(
  json: JsonValue | undefined,
  root: JsonObject,
  seen: readonly string[] = [],
): boolean {
  if (!isObject(json)) return false
  const { type, enum: values, anyOf, oneOf, $ref } = json
  if (type === 'null' || listOf(type).includes('null') || listOf(values).includes(null)) return true
  if ($ref !== undefined) {
    const ref = String($ref)
    return !seen.includes(ref) && takesNull(lookup(ref, root), root, [...seen, ref])
  }
  return listOf(anyOf ?? oneOf).some((branch) => takesNull(branch, root, seen))
}

function isNull(json: JsonValue): boolean {
  return isObject(json) && (json['type'] === 'null' || json['const'] === null)
}

function saysMore(part: JsonValue): boolean {
  return (
    isObject(part) &&
    ['$ref', 'type', 'properties', 'anyOf', 'oneOf', 'allOf', 'enum', 'const'].some(
      (keyword) => keyword in part,
    )
  )
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isList(value) ? value : []
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
