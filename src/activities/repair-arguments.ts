import type { z } from 'zod'
import { isObject, type JsonObject } from '../contract/json.js'
import { parseJson } from './parse-json.js'

type Issue = z.core.$ZodIssue

const NO_CHANGE = Symbol('no change')
const REMOVE = Symbol('remove')

/** What zod calls a list, and what it calls an object. */
const LISTS = new Set(['array', 'tuple'])
const OBJECTS = new Set(['object', 'record'])

/**
 * Mends what a schema complains of: a null is taken away, a text that is the JSON of the list or object
 * that is wanted is unwrapped. Whether that was right, only the schema can tell: check again.
 *
 * @returns a mended copy; null when there is nothing to mend
 */
export function repair(object: JsonObject, issues: readonly Issue[]): JsonObject | null {
  let repaired: unknown = object
  for (const issue of issues.flatMap(flat)) {
    const changed = change(repaired, issue.path, issue)
    if (changed !== NO_CHANGE && changed !== REMOVE) repaired = changed
  }
  return repaired !== object && isObject(repaired) ? repaired : null
}

/** Of a union, the complaints of the branch that comes nearest. */
function flat(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const [nearest] = issue.errors.toSorted((a, b) => a.length - b.length)
  return (nearest ?? []).flatMap((inner) =>
    flat({ ...inner, path: [...issue.path, ...inner.path] }),
  )
}

/** `value` with the field at `path` mended, copied along the way. */
function change(value: unknown, path: readonly PropertyKey[], issue: Issue): unknown {
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

function mend(value: unknown, issue: Issue): unknown {
  if (value === null) return REMOVE
  if (typeof value !== 'string' || issue.code !== 'invalid_type') return NO_CHANGE
  const inner = parseJson(value)
  if (LISTS.has(issue.expected) && Array.isArray(inner)) return inner
  if (OBJECTS.has(issue.expected) && isObject(inner)) return inner
  return NO_CHANGE
}
