import { isObject, type JsonObject, type JsonValue } from '../../contract/json.js'

/** The schemas right inside of a strict one: properties, items, branches; not its definitions. */
export function subSchemas({ properties, items, anyOf }: JsonObject): JsonObject[] {
  return [
    ...(isObject(properties) ? Object.values(properties) : []),
    ...(items === undefined ? [] : [items]),
    ...(Array.isArray(anyOf) ? (anyOf as readonly JsonValue[]) : []),
  ].filter(isObject)
}
