import { randomFillSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { observationOf } from '../../../src/activities/observation.js'
import { withoutBinary } from '../../../src/contract/binary-text.js'

/** Bytes that look random, the same in every run. */
function bytes(count: number): Buffer {
  let state = 1
  return Buffer.from(
    Array.from({ length: count }, () => {
      state = (state * 48_271) % 2_147_483_647
      return state & 0xff
    }),
  )
}

const IMAGE = bytes(90_000).toString('base64')

describe('a data URL (B45)', () => {
  it('is a note with its type and size', () => {
    expect(withoutBinary(`data:image/png;base64,${IMAGE}`)).toBe('[image/png, 90 kB, left out]')
  })

  it('in JSON leaves the JSON whole', () => {
    const text = JSON.stringify({ shot: `data:image/png;base64,${IMAGE}`, page: 1 })
    expect(withoutBinary(text)).toBe('{"shot":"[image/png, 90 kB, left out]","page":1}')
    expect(observationOf({ shot: `data:image/png;base64,${IMAGE}`, page: 1 })).toBe(
      '{"shot":"[image/png, 90 kB, left out]","page":1}',
    )
  })

  it.each([
    ['image/svg+xml', 'image/svg+xml'],
    ['application/vnd.ms-excel', 'application/vnd.ms-excel'],
    ['text/plain;charset=utf-8', 'text/plain'],
    ['text/plain;charset=utf-8;name=a.txt', 'text/plain'],
    ['', 'data'],
  ])('of type %s is named %s', (type, named) => {
    expect(withoutBinary(`see data:${type};base64,${IMAGE}.`)).toBe(
      `see [${named}, 90 kB, left out].`,
    )
  })

  it('may be one of several', () => {
    const one = `<img src="data:image/gif;base64,${IMAGE.slice(0, 400)}">`
    expect(withoutBinary(one + one)).toBe('<img src="[image/gif, 1 kB, left out]">'.repeat(2))
  })

  it('may be in base64url', () => {
    const url = bytes(300).toString('base64url')
    expect(withoutBinary(`data:a/b;base64,${url}`)).toBe('[a/b, 1 kB, left out]')
  })

  it('that is short, or no base64, stays', () => {
    for (const text of [
      'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
      'data:text/plain,hello%20world',
      'data: 7, more data: 8',
      `data:text/html,${'<p>hi</p>'.repeat(200)}`,
    ]) {
      expect(withoutBinary(text)).toBe(text)
    }
  })
})

describe('bare base64', () => {
  it('is a note with its size', () => {
    expect(withoutBinary(`file: ${IMAGE} end`)).toBe('file: [base64 data, 90 kB, left out] end')
  })

  it('may end with padding', () => {
    const padded = bytes(1_000).toString('base64')
    expect(padded).toMatch(/==$/)
    expect(withoutBinary(padded)).toBe('[base64 data, 2 kB, left out]')
  })

  it('that is short stays: it may be an id, a hash or a token', () => {
    const short = bytes(700).toString('base64')
    expect(short.length).toBeLessThan(1_000)
    expect(withoutBinary(short)).toBe(short)
  })
})

describe('a long run that is no base64 stays', () => {
  const words = 'the quick brown fox jumps over the lazy dog and runs away '
  it.each([
    ['one letter', 'a'.repeat(5_000)],
    ['a line', '/'.repeat(5_000)],
    ['DNA', 'ACGT'.repeat(2_000)],
    ['digits', '0123456789'.repeat(500)],
    ['hexadecimal', bytes(2_000).toString('hex')],
    ['HEX', bytes(2_000).toString('hex').toUpperCase()],
    ['words', words.repeat(200)],
    ['words without spaces', words.replaceAll(' ', '').repeat(100)],
    ['words as in a query', words.replaceAll(' ', '+').repeat(100)],
    ['a path', words.replaceAll(' ', '/').repeat(100)],
    ['lines', 'abcdefghijklmnopqrstuvwxyzABC\n'.repeat(200)],
    ['Chinese', '東京は今日も晴れです'.repeat(500)],
    ['numbers in a list', Array.from({ length: 2_000 }, (_, i) => i).join(',')],
  ])('%s', (_what, text) => {
    expect(withoutBinary(text)).toBe(text)
  })
})

describe('3 MB of text take no more than a moment', () => {
  const SIZE = 3_000_000
  const fill = (unit: string) => unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE)
  // What is quadratic in any of these takes minutes, and the test its time-out.
  it.each([
    ['base64', () => randomFillSync(Buffer.alloc(SIZE * 0.75)).toString('base64')],
    ['one letter', () => fill('a')],
    ['starts of data URLs', () => fill('data:')],
    ['starts of types', () => fill('data:a/b')],
    ['one long type', () => `data:${fill('a')}`],
    ['parameters without an end', () => `data:a/b${fill(';a=b')}`],
    ['empty data URLs', () => fill('data:a/b;base64,')],
    ['short data URLs', () => fill('data:a/b;base64,AAAA ')],
    ['almost long enough', () => fill(`${IMAGE.slice(0, 999)} `)],
    ['padding', () => fill('=')],
    ['spaces', () => fill(' ')],
  ])('%s', (_what, make) => {
    const text = make()
    expect(text.length).toBeGreaterThanOrEqual(SIZE - 100)
    expect(withoutBinary(text).length).toBeLessThanOrEqual(text.length)
    expect(observationOf(text).length).toBeLessThanOrEqual(2_000)
  })
})

it('whatever the text, nothing is added but notes, and the result is stable', () => {
  const bit = fc.oneof(
    fc.string(),
    fc.constantFrom('data:', 'image/png', ';base64,', ';a=b', IMAGE.slice(0, 1_500), '==', ' '),
  )
  return fc.assert(
    fc.property(fc.array(bit), (bits) => {
      const text = bits.join('')
      const clean = withoutBinary(text)
      expect(clean.length).toBeLessThanOrEqual(text.length)
      expect(withoutBinary(clean)).toBe(clean)
    }),
  )
})
