import { describe, expect, test } from 'vitest'
import { costOf } from '../../../src/agent/cost.js'
import { countReply, fallBack } from '../../../src/agent/models.js'
import { modelPrice, priceOf } from '../../../src/contract/price.js'
import { manifestOf, stateOf } from './manifests.js'

const PRICE = { promptPerMillion: 2, completionPerMillion: 8 }
const TOKENS = { promptTokens: 500_000, completionTokens: 250_000 }

test('tokens cost what a million of them does, in part', () => {
  expect(priceOf(PRICE, TOKENS)).toBe(3)
  expect(priceOf(PRICE, { promptTokens: 0, completionTokens: 0 })).toBe(0)
})

test.each(['constructor', '__proto__', 'toString'])(
  'a model named %s has no price of its own',
  (name) => {
    expect(modelPrice(manifestOf({ prices: { a: PRICE } }), name)).toBeUndefined()
    const prices = Object.fromEntries([[name, PRICE]])
    expect(modelPrice(manifestOf({ prices }), name)).toEqual(PRICE)
  },
)

describe('the cost of a run', () => {
  test('is not known without prices', () => {
    expect(costOf(stateOf())).toBeNull()
  })

  test('is nothing before the first reply', () => {
    expect(costOf(stateOf({ prices: {} }))).toBe(0)
  })

  test('is the sum over its models, each at its own price', () => {
    const state = stateOf({
      fallbackModels: ['b'],
      prices: { 'test-model': PRICE, b: { ...PRICE, promptPerMillion: 4 } },
    })
    countReply(state, { tokens: TOKENS })
    fallBack(state)
    countReply(state, { tokens: TOKENS })
    expect(costOf(state)).toBe(3 + 4)
    expect(costOf(JSON.parse(JSON.stringify(state)))).toBe(7)
  })

  test('is not known when a model that answered has no price', () => {
    const state = stateOf({ prices: { b: PRICE } })
    countReply(state, { tokens: TOKENS })
    expect(costOf(state)).toBeNull()
  })
})
