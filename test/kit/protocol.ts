import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isObject, type JsonObject, type JsonValue } from '../../src/contract/json.js'

const FILE = new URL('../../docs/protocol.schema.json', import.meta.url)

/** docs/protocol.schema.json. */
export const PROTOCOL = JSON.parse(readFileSync(FILE, 'utf8')) as {
  readonly $defs: Readonly<Record<string, JsonObject>>
}

/** Objects with nothing in them that the document does not name: readers may be open, its author is not. */
function closed(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(closed)
  if (!isObject(schema)) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, at]) => [key, closed(at)]))
  return isObject(inner['properties']) && inner['type'] === 'object'
    ? { ...inner, additionalProperties: false }
    : inner
}

/** What is wrong with a value by a schema of docs/protocol.schema.json; empty when it fits. */
export function misfits(name: string, value: unknown): string[] {
  if (PROTOCOL.$defs[name] === undefined) return [`there is no schema ${name}`]
  const schema = { $ref: `#/$defs/${name}`, $defs: closed(PROTOCOL.$defs) }
  const checked = z
    .fromJSONSchema(schema as z.core.JSONSchema.JSONSchema, { registry: z.registry() })
    .safeParse(value)
  return (checked.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
}
