import { describe, expect, it } from 'vitest'
import { overlap } from '../../../../src/doctor/lint/overlap.js'
import { tool } from './tools.js'

function warnings(...descriptions: readonly string[]) {
  const names = ['find_orders', 'search_orders', 'list_parcels']
  return overlap.check(
    descriptions.map((description, i) => tool({ name: names[i] ?? '', description })),
  )
}

describe('two descriptions overlap', () => {
  it.each([
    ['Use when the customer asks for orders.', 'Use when a customer asks for an order.'],
    [
      'Use when the customer asks about an order.',
      'Use when the customer asks about an order that is late, or where the parcel is.',
    ],
  ])('%s / %s', (a, b) => {
    expect(warnings(a, b)).toMatchObject([
      { tool: 'find_orders', text: expect.stringContaining('search_orders') },
    ])
  })
})

describe('two descriptions do not overlap', () => {
  it.each([
    [
      'Use when the customer asks about the state of an order.',
      'Use when the customer asks about the price of an order.',
    ],
    ['Use when asked for orders.', 'Use when asked for parcels.'],
    [
      'Use when the customer asks about an order.',
      'Use when the customer asks about an order and find_orders brought nothing.',
    ],
  ])('%s / %s', (a, b) => {
    expect(warnings(a, b)).toEqual([])
  })
})

it('every pair is compared once', () => {
  const same = 'Use when the customer asks for an order.'
  expect(warnings(same, same, same)).toHaveLength(3)
})
