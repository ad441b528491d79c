import { describe, expect, test } from 'vitest'
import { readChoice } from '../../../src/activities/choose-strategy.js'

const strategies = ['angry', 'first contact', 'Warten'].map((name) => ({
  name,
  when: 'it fits',
  instructions: 'x',
}))

describe('the strategy that a reply names', () => {
  test.each([
    ['angry', 'angry'],
    [' "Angry". ', 'angry'],
    ['**first_contact**', 'first contact'],
    ['The best strategy is first contact, as they never wrote before.', 'first contact'],
    ['warten', 'Warten'],
    ['none', null],
    ['', null],
    ['angry or first contact', null],
    ['hangry', null],
    ['`none`, though they are a little hungry', null],
  ])('%j: %j', (text, expected) => {
    expect(readChoice(text, strategies)).toBe(expected)
  })
})
