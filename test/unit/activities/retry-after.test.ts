import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { retryAfterMs } from '../../../src/activities/retry-after.js'

const NOW = Date.parse('2026-03-01T12:00:00.250Z')

function asked(headers: Record<string, string>): number | null {
  return retryAfterMs(new Headers(headers), NOW)
}

describe('the wait that a server asks for', () => {
  it.each([
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': ' 7 ' }, 7_000],
    [{ 'retry-after': '1382400' }, 1_382_400_000],
    [{ 'retry-after-ms': '300' }, 300],
    [{ 'retry-after-ms': '300', 'retry-after': '60' }, 300],
    [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:02 GMT' }, 1_750],
    [{ 'retry-after': 'Sunday, 01-Mar-26 12:00:02 GMT' }, 1_750],
    [{ 'retry-after': 'Sun Mar  1 12:00:02 2026 GMT' }, 1_750],
  ])('%j is %s ms', (headers, ms) => {
    expect(asked(headers)).toBe(ms)
  })

  it.each([
    {},
    { 'retry-after': '' },
    { 'retry-after': '0' },
    { 'retry-after': '-5' },
    { 'retry-after': 'NaN' },
    { 'retry-after': 'Infinity' },
    { 'retry-after': '-Infinity' },
    { 'retry-after': 'soon' },
    { 'retry-after': '2 seconds' },
    { 'retry-after': '10s' },
    { 'retry-after': '1,5' },
    { 'retry-after': '1, 2' },
    { 'retry-after': '2026' + '-03-01' },
    { 'retry-after': 'Sun, 01 Mar 2026 11:59:59 GMT' },
    { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    { 'retry-after': 'after 2050' },
    { 'retry-after-ms': '-1' },
    { 'retry-after-ms': 'soon' },
  ])('%j asks for nothing', (headers) => {
    expect(asked(headers as Record<string, string>)).toBeNull()
  })

  it.each(['soon', '', '-1', '0', 'NaN', 'Infinity'])(
    'in milliseconds that is %j falls through to the other header',
    (value) => {
      expect(asked({ 'retry-after-ms': value, 'retry-after': '1' })).toBe(1_000)
    },
  )
})

it('whatever a server sends, the wait is a positive number or none', () => {
  const value = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0123456789.,-+eExX :GMTJanSun') }),
    fc.double().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    fc.string({ unit: 'grapheme-ascii' }),
  )
  return fc.assert(
    fc.property(fc.option(value), fc.option(value), (ms, after) => {
      const headers = new Headers()
      if (ms !== null) headers.set('retry-after-ms', ms)
      if (after !== null) headers.set('retry-after', after)
      const wait = retryAfterMs(headers, NOW)
      expect(wait === null || (Number.isFinite(wait) && wait > 0)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})
