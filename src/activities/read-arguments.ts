import type { z } from 'zod'
import { isObject, type JsonObject, wellFormedJson } from '../contract/json.js'
import { shorten } from '../contract/text.js'

/** Characters of an explanation at most. */
const MAX_CHARS = 200

/** Arguments that fit the tool's schema, or what is wrong with them. */
export type ReadArguments =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly args: JsonObject; readonly message: string }

/**
 * Reads the arguments of one call. Nothing at all means `{}`; one layer of double encoding is undone, and
 * a null for an optional field taken away, only where the schema does not fit otherwise.
 */
export async function readArguments(raw: unknown, schema: z.ZodType): Promise<ReadArguments> {
  const object = wellFormedJson(toObject(raw))
  if (!isObject(object)) {
    const shown = typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? 'nothing')
    const message = shorten(`The arguments are not a JSON object: ${shown}`, MAX_CHARS)
    return { ok: false, args: {}, message }
  }
  const checked = await schema.safeParseAsync(object)
  if (checked.success) return { ok: true, args: object }
  const repaired = repair(object, checked.error.issues)
  if (repaired !== null && (await schema.safeParseAsync(repaired)).success) {
    return { ok: true, args: repaired }
  }
  return { ok: false, args: object, message: explain(checked.error.issues) }
}

function toObject(raw: unknown): JsonObject | null {
  if (raw === undefined || raw === null) return {}
  if (isObject(raw)) return raw
  if (typeof raw !== 'string') return null
  if (raw.trim() === '') return {}
  const once = parse(raw)
  const value = typeof once === 'string' ? parse(once) : once
  return isObject(value) ? value : null
}

function repair(object: JsonObject, issues: readonly z.core.$ZodIssue[]): JsonObject | null {
  let repaired: JsonObject = object
  for (const issue of issues) {
    const changed = change(repaired, issue.path, issue)
    if (changed === NO_CHANGE || !isObject(changed)) return null
    repaired = changed
  }
  return repaired
}

const NO_CHANGE = Symbol('no change')
const REMOVE = Symbol('remove')

/** `value` with the field at `path` mended, copied along the way. */
function change(value: unknown, path: readonly PropertyKey[], issue: z.core.$ZodIssue): unknown {
  const [field, ...rest] = path
  if (field === undefined) return mend(value, issue)
  if (Array.isArray(value) && typeof field === 'number') {
    const inner = change(value[field], rest, issue)
    return typeof inner === 'symbol' ? NO_CHANGE : value.with(field, inner)
  }
  if (!isObject(value) || !Object.hasOwn(value, field)) return NO_CHANGE
  const inner = change(value[String(field)], rest, issue)
  if (inner === NO_CHANGE) return NO_CHANGE
  const entries = Object.entries(value)
  return Object.fromEntries(
    inner === REMOVE
      ? entries.filter(([name]) => name !== field)
      : entries.map(([name, old]) => [name, name === field ? inner : old]),
  )
}

function mend(value: unknown, issue: z.core.$ZodIssue): unknown {
  if (value === null) return REMOVE
  if (typeof value !== 'string') return NO_CHANGE
  const wanted = issue.code === 'invalid_type' ? issue.expected : ''
  const inner = parse(value)
  if (wanted === 'array' && Array.isArray(inner)) return inner
  if ((wanted === 'object' || wanted === 'record') && isObject(inner)) return inner
  return NO_CHANGE
}

function explain(issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`,
  )
  return shorten(`The arguments do not fit: ${lines.join('; ')}`, MAX_CHARS)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
