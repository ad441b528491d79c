import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pairedRatios, spreadOf } from '../../../bench/statistics.js'

test('the median is the middle value, or halfway between the two in the middle', () => {
  expect(spreadOf([30, 10, 20]).median).toBe(20)
  expect(spreadOf([40, 10, 30, 20]).median).toBe(25)
})

test('the tenth and the ninetieth percentile are interpolated between neighbours', () => {
  const { p10, p90 } = spreadOf([0, 10, 20, 30, 40])
  expect(p10).toBeCloseTo(4)
  expect(p90).toBeCloseTo(36)
})

test('one value has no spread', () => {
  expect(spreadOf([7])).toEqual({ median: 7, p10: 7, p90: 7, min: 7, max: 7, count: 1 })
})

test('no values have no median', () => {
  expect(() => spreadOf([])).toThrow('no values')
})

test('the figures of a spread are in order and within the values, and the values stay as they were', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
      const before = [...values]
      const { min, p10, median, p90, max } = spreadOf(values)
      expect(values).toEqual(before)
      expect([min, p10, median, p90, max].toSorted((a, b) => a - b)).toEqual([
        min,
        p10,
        median,
        p90,
        max,
      ])
      expect([min, max]).toEqual([Math.min(...values), Math.max(...values)])
    }),
  )
})

test('ratios are taken round by round, so a round that was slow for both changes nothing', () => {
  expect(pairedRatios([11, 110, 11], [10, 100, 10])).toEqual([1.1, 1.1, 1.1])
})

test('lists of different length cannot be paired', () => {
  expect(() => pairedRatios([1, 2], [1])).toThrow('cannot be paired')
})
