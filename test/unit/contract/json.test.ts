import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonicalJson,
  isObject,
  type JsonObject,
  type JsonValue,
  wellFormedJson,
} from '../../../src/contract/json.js'
import { json } from '../agent/arbitraries.js'

/** The same value with the keys of every object in reverse order. */
function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, reversed(inner)] as const)
  return Object.fromEntries(entries.reverse())
}

/** So few values that two of them are often equal. */
const smallJson: fc.Arbitrary<JsonValue> = fc.array(
  fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.constantFrom(0, '0', null)),
  { maxLength: 2 },
)

/** A JSON object from its text, so that `__proto__` is a key like any other. */
function parse(text: string): JsonObject {
  return JSON.parse(text) as JsonObject
}

describe('canonical JSON', () => {
  test('sorts keys at any depth and keeps the order of arrays', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }, 0], a: null })).toBe(
      '{"a":null,"b":[{"c":2,"d":1},0]}',
    )
  })

  test('says the same value', () => {
    return fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('does not depend on the order of keys', () => {
    return fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
      }),
    )
  })

  test('is the same for the same value only', () => {
    const plain = (value: JsonValue): unknown => JSON.parse(JSON.stringify(value))
    const pair = fc.oneof(
      fc.tuple(json, json),
      fc.tuple(smallJson, smallJson),
      json.map((value) => [value, reversed(value)] as const),
    )
    return fc.assert(
      fc.property(pair, ([a, b]) => {
        expect(canonicalJson(a) === canonicalJson(b)).toBe(isDeepStrictEqual(plain(a), plain(b)))
      }),
    )
  })

  test('is its own canonical form', () => {
    return fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
  })

  test('keeps a key named __proto__', () => {
    const text = '{"__proto__":{"b":1,"a":2},"a":1}'
    expect(canonicalJson(parse(text))).toBe('{"__proto__":{"a":2,"b":1},"a":1}')
  })
})

describe('well-formed JSON', () => {
  test('holds no half surrogate pair, be it in a key or as an escape', () => {
    return fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(wellFormedJson(value))
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toMatch(/(^|[^\\])(\\\\)*\\ud[89a-f]/)
      }),
    )
  })

  test('is the same value when there was none', () => {
    return fc.assert(
      fc.property(json.map(wellFormedJson), (value) => {
        expect(JSON.stringify(wellFormedJson(value))).toBe(JSON.stringify(value))
      }),
    )
  })

  test('replaces it in strings, arrays, objects and keys', () => {
    expect(wellFormedJson({ 'k\ud83d': ['a\ude00b', { x: '\ud83d\ude00' }], n: 1 })).toEqual({
      'k\ufffd': ['a\ufffdb', { x: '😀' }],
      n: 1,
    })
  })

  test('keeps a key named __proto__ and pollutes nothing', () => {
    const value = wellFormedJson(parse('{"__proto__":{"polluted":"\\ud83d"}}'))
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":"\ufffd"}}')
    expect('polluted' in {}).toBe(false)
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})

test.each<[unknown, boolean]>([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ['{}', false],
  [1, false],
])('%j is a JSON object: %s', (value, answer) => {
  expect(isObject(value)).toBe(answer)
})
