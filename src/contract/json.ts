/** Any value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue }

/**
 * JSON text with the keys of every object sorted, so that two objects that differ only in key order
 * give the same text. Array order is kept. Pure: used in the workflow sandbox too.
 */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(value, (_key, inner: JsonValue) =>
    isObject(inner) ? sorted(inner) : inner,
  )
}

/** True for a JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The same value with every half surrogate pair replaced, in keys too. Servers refuse a request that
 * holds one, be it as an escape inside of JSON text.
 */
export function wellFormedJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormedJson)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormedJson(inner)]),
  )
}

function sorted(object: JsonObject): JsonObject {
  // Object.fromEntries defines own properties, so a key named __proto__ stays a plain key.
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
