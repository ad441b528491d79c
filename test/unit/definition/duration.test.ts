import type { Duration } from '@temporalio/common'
import { expect, test } from 'vitest'
import { DefinitionError } from '../../../src/definition/definition-error.js'
import { milliseconds } from '../../../src/definition/duration.js'

test.each<[Duration, number]>([
  [1, 1],
  [1500, 1500],
  [1.6, 2],
  ['5s', 5000],
  ['500ms', 500],
  ['10 minutes', 600_000],
  ['1.5h', 5_400_000],
  ['1d', 86_400_000],
])('%j is %i ms', (value, ms) => {
  expect(milliseconds(value, 'timeout')).toBe(ms)
})

test.each([0, 0.4, -1, Number.NaN, Number.POSITIVE_INFINITY, '', 'soon', '5 parsecs', '-5s', '0s'])(
  '%j is no duration, and the error names the place',
  (value) => {
    const parse = () => milliseconds(value as Duration, 'tool "t": timeout')
    expect(parse).toThrow(DefinitionError)
    expect(parse).toThrow(/^tool "t": timeout: .* is no duration\./)
  },
)
