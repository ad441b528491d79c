import { isObject } from '../../contract/json.js'
import type { Violation } from '../violation.js'

// With the u flag a surrogate pair is one code point, so only a lone surrogate matches. The same as
// `!text.isWellFormed()`, which TypeScript's ES2023 library does not know yet.
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * Checks every string (keys too) and every number at any depth. JSON can spell both faults: the
 * escape `\ud83d` alone gives a lone surrogate, and `1e999` gives Infinity.
 */
export function checkValues(root: unknown, rootPath: string): Violation[] {
  const violations: Violation[] = []
  // A stack, not recursion: a deeply nested body must not overflow the checker.
  const open: { value: unknown; path: string }[] = [{ value: root, path: rootPath }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next
    violations.push(...checkValue(value, path))
    for (const child of children(value, path).reverse()) open.push(child)
  }
  return violations
}

function checkValue(value: unknown, path: string): Violation[] {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return [{ rule: 'finite', path, message: 'the number is not finite' }]
  }
  if (typeof value === 'string' && LONE_SURROGATE.test(value)) {
    return [{ rule: 'well-formed', path, message: 'the string holds half a surrogate pair' }]
  }
  if (isObject(value) && Object.keys(value).some((key) => LONE_SURROGATE.test(key))) {
    return [{ rule: 'well-formed', path, message: 'a key holds half a surrogate pair' }]
  }
  return []
}

function children(value: unknown, path: string): { value: unknown; path: string }[] {
  if (Array.isArray(value)) {
    return value.map((item: unknown, i) => ({ value: item, path: `${path}[${i}]` }))
  }
  if (!isObject(value)) return []
  return Object.entries(value).map(([key, item]) => ({
    value: item,
    path: path === '' ? key : `${path}.${key}`,
  }))
}
