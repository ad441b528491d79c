import { expect, it } from 'vitest'
import { costOfUsage, dollars } from '../../../src/contract/price.js'

it.each([
  [0, '$0.00'],
  [0.00001, '<$0.0001'],
  [0.0001, '$0.0001'],
  [0.01234, '$0.0123'],
  [0.5, '$0.5000'],
  [1, '$1.00'],
  [1234.567, '$1234.57'],
])('%f dollars are written %s', (usd, text) => {
  expect(dollars(usd)).toBe(text)
})

const prices = { cheap: { promptPerMillion: 1, completionPerMillion: 2 } }
const tokens = { promptTokens: 500_000, completionTokens: 250_000 }

it('what models used costs the sum of it', () => {
  expect(costOfUsage({ prices }, { cheap: tokens })).toBe(1)
  expect(costOfUsage({ prices }, {})).toBe(0)
})

it('nobody knows the cost where prices are not known, or that of one model is not', () => {
  expect(costOfUsage({}, { cheap: tokens })).toBeNull()
  expect(costOfUsage({ prices }, { cheap: tokens, constructor: tokens })).toBeNull()
})
