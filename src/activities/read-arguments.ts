import type { z } from 'zod'
import { isObject, type JsonObject, wellFormedJson } from '../contract/json.js'
import { shorten } from '../contract/text.js'
import { check, explain } from './check-schema.js'
import { parseJson } from './parse-json.js'
import { repair } from './repair-arguments.js'

/** Characters of an explanation at most. */
const MAX_CHARS = 200
/** Levels of nesting that arguments may have: far above any schema, far below the end of the stack. */
const MAX_DEPTH = 100
/** Rounds of repair: a field that is unwrapped may hold another one to mend. */
const MAX_ROUNDS = 3

/** Arguments that fit the tool's schema, or what is wrong with them. */
export type ReadArguments =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly args: JsonObject; readonly message: string }

/**
 * Reads the arguments of one call; never throws. Nothing at all means `{}`; one layer of double encoding
 * is undone, and a null for an optional field taken away, only where the schema does not fit otherwise.
 */
export async function readArguments(raw: unknown, schema: z.ZodType): Promise<ReadArguments> {
  const object = toObject(raw)
  if (object === null) {
    const message = `The arguments are not a JSON object: ${shown(raw)}`.toWellFormed()
    return { ok: false, args: {}, message: shorten(message, MAX_CHARS) }
  }
  const first = await check(schema, object)
  if (first.success) return { ok: true, args: object }
  let candidate = object
  let { issues } = first.error
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const repaired = repair(candidate, issues)
    if (repaired === null) break
    const checked = await check(schema, repaired)
    if (checked.success) return { ok: true, args: repaired }
    candidate = repaired
    issues = checked.error.issues
  }
  // What is told is what was wrong with the model's own words.
  return { ok: false, args: object, message: explain(first.error.issues) }
}

function toObject(raw: unknown): JsonObject | null {
  if (raw === undefined || raw === null) return {}
  if (typeof raw === 'string' && raw.trim() === '') return {}
  const once = typeof raw === 'string' ? parseJson(raw) : raw
  const value = typeof once === 'string' ? parseJson(once) : once
  if (!isObject(value) || !isShallow(value)) return null
  const formed = wellFormedJson(value)
  return isObject(formed) ? formed : null
}

function shown(raw: unknown): string {
  if (typeof raw === 'string') return raw
  if (isObject(raw)) return `over ${MAX_DEPTH} levels deep`
  try {
    return JSON.stringify(raw)
  } catch {
    return 'nested too deeply'
  }
}

/** Level by level, because recursion is what deep nesting breaks. */
function isShallow(value: JsonObject): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    level = level.flatMap((inner) =>
      typeof inner === 'object' && inner !== null ? Object.values(inner) : [],
    )
    if (level.length === 0) return true
  }
  return false
}
