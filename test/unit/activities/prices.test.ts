import { describe, expect, it } from 'vitest'
import { lookUpPrice, type Prices } from '../../../src/activities/prices.js'

const PRICE = { promptPerMillion: 0.15, completionPerMillion: 0.6 }

describe('the price of a model', () => {
  it('is that of the table, or what the function says', () => {
    expect(lookUpPrice({ a: PRICE }, 'a')).toEqual(PRICE)
    expect(lookUpPrice((model) => (model === 'a' ? PRICE : undefined), 'a')).toEqual(PRICE)
  })

  it('may be nothing', () => {
    const free = { promptPerMillion: 0, completionPerMillion: 0 }
    expect(lookUpPrice({ local: free }, 'local')).toEqual(free)
  })

  it.each<[string, Prices | undefined]>([
    ['without prices', undefined],
    ['in another table', { b: PRICE }],
    ['where the function knows none', () => undefined],
    ['where the function says null', () => null as unknown as undefined],
  ])('is not known %s', (_, prices) => {
    expect(lookUpPrice(prices, 'a')).toBeUndefined()
  })

  it.each(['constructor', '__proto__', 'toString'])(
    'named %s is not what every object has',
    (name) => {
      expect(lookUpPrice({ a: PRICE }, name)).toBeUndefined()
    },
  )

  it.each([
    {},
    { promptPerMillion: 1 },
    { promptPerMillion: '1', completionPerMillion: 1 },
    { promptPerMillion: 1, completionPerMillion: -1 },
    { promptPerMillion: Number.NaN, completionPerMillion: 1 },
    { promptPerMillion: 1, completionPerMillion: Number.POSITIVE_INFINITY },
  ])('%j is none: no budget could be kept by it', (price) => {
    for (const prices of [{ a: price }, () => price]) {
      expect(() => lookUpPrice(prices as unknown as Prices, 'a')).toThrow(
        expect.objectContaining({
          name: 'DefinitionError',
          message: expect.stringContaining('prices: "a" needs promptPerMillion'),
        }),
      )
    }
  })

  it('holds nothing but the two amounts', () => {
    expect(lookUpPrice({ a: { ...PRICE, note: 'x' } as typeof PRICE }, 'a')).toEqual(PRICE)
  })
})
