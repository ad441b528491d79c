import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { idempotencyKey } from '../../../src/activities/idempotency-key.js'
import type { ToolCallInput } from '../../../src/contract/activities.js'
import type { JsonObject, JsonValue } from '../../../src/contract/json.js'

const input: ToolCallInput = {
  turn: 1,
  step: 2,
  call: 3,
  args: { orderId: 'A1', amount: 5 },
  context: { customerId: 'c1' },
  origin: 'first-run',
}

describe('the key of a call', () => {
  it('names run and place, then 16 hexadecimal digits', () => {
    expect(idempotencyKey('refund', input)).toMatch(/^first-run\/1\.2\.3\/[0-9a-f]{16}$/)
  })

  it('is the same on the same', () => {
    expect(idempotencyKey('refund', { ...input })).toBe(idempotencyKey('refund', input))
  })

  it('does not hang on the order of keys, at any depth', () => {
    const a = { x: { a: 1, b: [{ c: 1, d: 2 }] }, y: 2 }
    const b = { y: 2, x: { b: [{ d: 2, c: 1 }], a: 1 } }
    expect(idempotencyKey('t', { ...input, args: a })).toBe(
      idempotencyKey('t', { ...input, args: b }),
    )
  })

  it('does not hang on who is asking', () => {
    expect(idempotencyKey('t', { ...input, context: null })).toBe(idempotencyKey('t', input))
  })

  it.each<[string, Partial<ToolCallInput>]>([
    ['turn', { turn: 2 }],
    ['step', { step: 3 }],
    ['call', { call: 1 }],
    ['origin', { origin: 'other-run' }],
    ['value', { args: { orderId: 'A1', amount: 6 } }],
    ['type of a value', { args: { orderId: 'A1', amount: '5' } }],
    ['key', { args: { orderId: 'A1', Amount: 5 } }],
    ['missing field', { args: { orderId: 'A1' } }],
    ['null field', { args: { orderId: 'A1', amount: 5, note: null } }],
  ])('differs by %s', (_what, change) => {
    expect(idempotencyKey('refund', { ...input, ...change })).not.toBe(
      idempotencyKey('refund', input),
    )
  })

  it('differs by tool', () => {
    expect(idempotencyKey('email', input)).not.toBe(idempotencyKey('refund', input))
  })

  it('differs by the order of a list', () => {
    const [a, b] = [{ ids: [1, 2] }, { ids: [2, 1] }]
    expect(idempotencyKey('t', { ...input, args: a })).not.toBe(
      idempotencyKey('t', { ...input, args: b }),
    )
  })

  it('counts a field named __proto__', () => {
    const args = JSON.parse('{"__proto__":{"a":1}}') as JsonObject
    expect(idempotencyKey('t', { ...input, args })).not.toBe(
      idempotencyKey('t', { ...input, args: {} }),
    )
  })
})

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).reverse()
  return Object.fromEntries(entries.map(([key, inner]) => [key, reversed(inner)]))
}

test('any arguments give the same key with their fields the other way round', () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue())
  return fc.assert(
    fc.property(objects, (object) => {
      const args = JSON.parse(JSON.stringify(object)) as JsonObject
      const other = reversed(args) as JsonObject
      expect(idempotencyKey('t', { ...input, args: other })).toBe(
        idempotencyKey('t', { ...input, args }),
      )
    }),
  )
})
