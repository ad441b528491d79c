import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { observationOf } from '../../../src/activities/observation.js'

const HINT = 'Try search_orders by name.'
const NOTHING = '(done; the tool returned no result)'

describe('an empty result (B20)', () => {
  it.each([
    [undefined, NOTHING],
    [null, NOTHING],
    ['', '(the result is an empty text)'],
    [[], '[] (the result is empty)'],
    [{}, '{} (the result is empty)'],
    [new Map(), '{} (the result is empty)'],
    [new Set(), '[] (the result is empty)'],
    [{ a: undefined }, '{} (the result is empty)'],
    [{ toJSON: () => [] }, '[] (the result is empty)'],
  ])('(row %#) says so, and offers the hint of its tool', (value, text) => {
    expect(observationOf(value)).toBe(text)
    expect(observationOf(value, HINT)).toBe(`${text} ${HINT}`)
  })
})

describe('a result', () => {
  class Money {
    readonly #cents = 1_250
    toJSON() {
      return `${this.#cents / 100} EUR`
    }
  }

  it.each<[unknown, string]>([
    [0, '0'],
    [false, 'false'],
    [0n, '"0"'],
    [Number.NaN, '"NaN"'],
    ['0', '0'],
    ['null', 'null'],
    [[0], '[0]'],
    [[null], '[null]'],
    [[[]], '[[]]'],
    [{ items: [] }, '{"items":[]}'],
    [{ a: null }, '{"a":null}'],
    [new Set([1]), '[1]'],
    [new Map([['a', 1]]), '{"a":1}'],
    // Objects without keys of their own that hold something all the same.
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [new URL('http://a.b/c'), '"http://a.b/c"'],
    [new TypeError('x'), '{"error":"TypeError"}'],
    [new Money(), '"12.5 EUR"'],
  ])('(row %#) is no empty one, and gets no hint', (value, text) => {
    expect(observationOf(value)).toBe(text)
    expect(observationOf(value, HINT)).toBe(text)
  })
})

describe('a result that cannot be looked at', () => {
  it('looks like no failure, hint or not', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const trap = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no')
        },
      },
    )
    for (const value of [proxy, trap]) {
      expect(observationOf(value)).toBe('(done; the result of the tool cannot be shown)')
      expect(observationOf(value, HINT)).toContain('cannot be shown')
    }
  })
})

it('a hint follows the text of an empty result, and never that of another', () => {
  return fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain = observationOf(value)
      const hinted = observationOf(value, HINT)
      const isEmpty = value === null || value === '' || JSON.stringify(value).length === 2
      const isNumber = typeof value === 'number'
      expect(hinted).toBe(isEmpty && !isNumber ? `${plain} ${HINT}` : plain)
    }),
  )
})
