import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { observationOf } from '../../../src/activities/observation.js'
import { cut } from '../../../src/contract/observation-text.js'

const NOTHING = '(done; the tool returned no result)'
const MARK = /\n\[… (\d+) of (\d+) characters left out …\]\n/

describe('what a tool returns', () => {
  it.each([
    [undefined, NOTHING],
    [null, NOTHING],
    ['', '(the result is an empty text)'],
    [[], '[] (the result is empty)'],
    [{}, '{} (the result is empty)'],
    [0, '0'],
    [-0, '0'],
    [false, 'false'],
    ['null', 'null'],
    ['text', 'text'],
    [{ b: 1, a: [null, 'x'] }, '{"b":1,"a":[null,"x"]}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ])('%j reads as %s', (value, text) => {
    expect(observationOf(value)).toBe(text)
  })

  it('that is empty differs from every other empty thing', () => {
    const texts = [undefined, '', [], {}, 0, false].map((value) => observationOf(value))
    expect(new Set(texts).size).toBe(texts.length)
  })

  it.each([
    [{ n: 12345678901234567890n }, '{"n":"12345678901234567890"}'],
    [{ n: Number.NaN, m: -Infinity }, '{"n":"NaN","m":"-Infinity"}'],
    [{ f: () => 1, s: Symbol('s') }, '{"f":"[function]","s":"[symbol]"}'],
    [() => 1, '"[function]"'],
    [Symbol('s'), '"[symbol]"'],
    [7n, '"7"'],
    [new Map([['a', new Set([1, 2])]]), '{"a":[1,2]}'],
    [new Set(), '[] (the result is empty)'],
    [[undefined], '[null]'],
  ])('and JSON cannot hold (row %#) leaves a trace', (value, text) => {
    expect(observationOf(value)).toBe(text)
  })

  it('may contain itself', () => {
    const loop: Record<string, unknown> = { name: 'loop' }
    loop['self'] = loop
    loop['list'] = [loop]
    expect(observationOf(loop)).toBe('{"name":"loop","self":"[circular]","list":["[circular]"]}')
  })

  it('may be a Map or a Set that contains itself', () => {
    const map = new Map<string, unknown>()
    map.set('self', map)
    const set = new Set<unknown>()
    set.add(set)
    expect(observationOf({ map, set })).toContain('[circular]')
  })

  it('may be a Map whose keys are no texts: none of them is lost', () => {
    const text = observationOf(
      new Map<unknown, unknown>([
        [{ a: 1 }, 'x'],
        [{ b: 2 }, 'y'],
        [1, 'n'],
        ['1', 's'],
      ]),
    )
    for (const value of ['x', 'y', 'n', 's']) expect(text).toContain(`"${value}"`)
    expect(observationOf(new Map([[Object.create(null), 1]]))).toContain('1')
  })

  it('may be nested 20,000 levels deep', () => {
    let deep: unknown = 'core'
    for (let i = 0; i < 20_000; i++) deep = [deep]
    expect(observationOf(deep).length).toBeLessThanOrEqual(2_000)
  })

  it('that twice holds the same object is no loop', () => {
    const twin = { a: 1 }
    expect(observationOf([twin, twin])).toBe('[{"a":1},{"a":1}]')
  })

  it('shows of an error its name, neither message nor stack nor cause', () => {
    const error = new TypeError('postgres://app:hunter2@db', { cause: new Error('hunter2') })
    expect(observationOf({ error, at: 1 })).toBe('{"error":{"error":"TypeError"},"at":1}')
  })

  it('shows no more of an error that turns itself into JSON', () => {
    class HttpError extends Error {
      readonly config = { auth: 'hunter2' }
      toJSON() {
        return { message: this.message, stack: this.stack, config: this.config }
      }
    }
    expect(observationOf({ error: new HttpError('failed') })).not.toMatch(/hunter2|stack/)
  })

  it('gets its half surrogate pairs replaced', () => {
    expect(observationOf('a\ud83db')).toBe('a\ufffdb')
    expect(observationOf({ a: '\udc00' }).isWellFormed()).toBe(true)
  })
})

describe('a long result', () => {
  it('keeps head and tail of 3 MB, and says what is missing', () => {
    const text = observationOf(`BEGIN${'x'.repeat(3_000_000)}END`)
    expect(text.length).toBeLessThanOrEqual(2_000)
    expect(text).toMatch(/^BEGINx+\n\[… \d+ of 3000008 characters left out …\]\nx+END$/)
  })

  it('is cut after it became JSON', () => {
    const rows = Array.from({ length: 50_000 }, (_, i) => ({ i, text: 'row' }))
    const text = observationOf(rows)
    expect(text).toMatch(/^\[\{"i":0,/)
    expect(text).toMatch(/"i":49999,"text":"row"\}\]$/)
  })

  it('of 2,000 characters is whole, of 2,001 is cut', () => {
    expect(cut('x'.repeat(2_000))).toBe('x'.repeat(2_000))
    expect(cut('x'.repeat(2_001))).toMatch(MARK)
  })
})

const long = fc
  .array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), {
    minLength: 1,
    maxLength: 8,
  })
  .chain((parts) => {
    return fc.integer({ min: 1, max: 400 }).map((times) => parts.join('😀').repeat(times))
  })

test('a cut text has at most 2,000 characters, true counts, and its own head and tail', () => {
  return fc.assert(
    fc.property(long, (text) => {
      const short = cut(text)
      expect(short.length).toBeLessThanOrEqual(2_000)
      if (text.length <= 2_000) {
        expect(short).toBe(text)
        return
      }
      const [mark, left, all] = MARK.exec(short) ?? ['']
      const [head = '', tail = ''] = short.split(mark)
      expect(Number(all)).toBe(text.length)
      expect(head.length + tail.length + Number(left)).toBe(text.length)
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
      expect(head.length).toBeGreaterThan(1_000)
      expect(tail.length).toBeGreaterThan(500)
    }),
  )
})

test('no cut splits a surrogate pair', () => {
  const shifted = fc.tuple(fc.nat(3), fc.integer({ min: 1_000, max: 3_000 }), fc.nat(3))
  return fc.assert(
    fc.property(shifted, ([before, pairs, after]) => {
      const text = 'a'.repeat(before) + '😀'.repeat(pairs) + 'z'.repeat(after)
      expect(cut(text).isWellFormed()).toBe(true)
    }),
  )
})

test('whatever a tool returns becomes text of 1 to 2,000 well-formed characters', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withSet: true,
    withNullPrototype: true,
    withObjectString: true,
    withSparseArray: true,
    withTypedArray: true,
    withBoxedValues: true,
    withUnicodeString: true,
  })
  return fc.assert(
    fc.property(anything, (value) => {
      const text = observationOf(value)
      expect(text.length > 0 && text.length <= 2_000 && text.isWellFormed()).toBe(true)
    }),
  )
})
