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
  for (const issue of issues.flatMap((each) => flat(each, object))) {
    const changed = change(repaired, issue.path, issue)
    if (changed !== NO_CHANGE && changed !== REMOVE) repaired = changed
  }
  return repaired !== object && isObject(repaired) ? repaired : null
}

/** Of a union, the complaints of the branch that is nearest once all that can be mended is mended. */
function flat(issue: Issue, root: unknown): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const branches = issue.errors.map((errors) =>
    errors.flatMap((inner) => flat({ ...inner, path: [...issue.path, ...inner.path] }, root)),
  )
  const left = (branch: readonly Issue[]) =>
    branch.filter((inner) => mend(valueAt(root, inner.path), inner) === NO_CHANGE).length
  const [nearest] = branches.toSorted((a, b) => left(a) - left(b) || a.length - b.length)
  return nearest ?? []
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, field) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, field)
        ? (value as Record<PropertyKey, unknown>)[field]
        : undefined,
    root,
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
