import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headEnd, shorten, tailStart } from '../../../src/contract/text.js'
import { anyText, wellFormedText } from '../agent/arbitraries.js'

const max = fc.integer({ min: 1, max: 14 })

describe('a shortened text', () => {
  test('is never longer than asked', () => {
    return fc.assert(
      fc.property(anyText, max, (text, limit) => {
        expect(shorten(text, limit).length).toBeLessThanOrEqual(limit)
      }),
    )
  })

  test('is the text itself when that fits', () => {
    return fc.assert(
      fc.property(anyText, fc.nat(5), (text, spare) => {
        expect(shorten(text, text.length + spare)).toBe(text)
      }),
    )
  })

  test('is a beginning of the text and a mark, at most one unit short', () => {
    return fc.assert(
      fc.property(anyText, max, (text, limit) => {
        fc.pre(text.length > limit)
        const short = shorten(text, limit)
        expect(short.endsWith('…')).toBe(true)
        expect(text.startsWith(short.slice(0, -1))).toBe(true)
        expect(short.length).toBeGreaterThanOrEqual(limit - 1)
      }),
    )
  })

  test('never ends in half a surrogate pair', () => {
    return fc.assert(
      fc.property(wellFormedText, max, (text, limit) => {
        expect(shorten(text, limit).isWellFormed()).toBe(true)
      }),
    )
  })

  test.each([
    ['😀😀', 4, '😀😀'],
    ['😀😀', 3, '😀…'],
    ['😀😀', 2, '…'],
    ['a😀b', 3, 'a…'],
    ['abc', 1, '…'],
    ['', 1, ''],
  ])('of %j with %i units is %j', (text, limit, short) => {
    expect(shorten(text, limit)).toBe(short)
  })
})

test('head and tail cut between characters, at most one unit away', () => {
  return fc.assert(
    fc.property(wellFormedText, fc.nat(14), (text, at) => {
      const [end, start] = [headEnd(text, at), tailStart(text, at)]
      expect([at, at - 1]).toContain(end)
      expect([at, at + 1]).toContain(start)
      expect(text.slice(0, end).isWellFormed()).toBe(true)
      expect(text.slice(start).isWellFormed()).toBe(true)
    }),
  )
})

test('head and tail together lose nothing of a text that is cut in one place', () => {
  expect(['a😀b'.slice(0, headEnd('a😀b', 2)), 'a😀b'.slice(tailStart('a😀b', 2))]).toEqual([
    'a',
    'b',
  ])
  expect(['a😀b'.slice(0, headEnd('a😀b', 3)), 'a😀b'.slice(tailStart('a😀b', 3))]).toEqual([
    'a😀',
    'b',
  ])
})
