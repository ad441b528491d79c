import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { newestWithin } from '../../../src/agent/newest.js'

const within = (chars: readonly number[], max: number) => newestWithin(chars, max, (n) => n)

test('the newest stay, in their order, as many as fit', () => {
  expect(within([300, 200, 100], 10_000)).toEqual([300, 200, 100])
  expect(within([300, 200, 100], 900)).toEqual([200, 100])
  expect(within([], 0)).toEqual([])
})

test('one that is too large for itself goes, and all before it', () => {
  expect(within([1, 10_000], 5_000)).toEqual([])
  expect(within([10_000, 1], 5_000)).toEqual([1])
})

test('empty ones are not free: there are never more than fit the state', () => {
  expect(within(Array<number>(10_000).fill(0), 200_000)).toHaveLength(800)
})

test('whatever is kept fits, is the end of the list, and one more would not fit', () => {
  return fc.assert(
    fc.property(fc.array(fc.nat(2_000)), fc.nat(20_000), (list, max) => {
      const kept = within(list, max)
      const total = (part: readonly number[]) => part.reduce((sum, n) => sum + n + 250, 0)
      expect(total(kept)).toBeLessThanOrEqual(max)
      expect(list.slice(list.length - kept.length)).toEqual(kept)
      const more = list.slice(list.length - kept.length - 1)
      if (kept.length < list.length) expect(total(more)).toBeGreaterThan(max)
    }),
  )
})
