import { describe, expect, test } from 'vitest'
import { append } from '../../../src/agent/conversation.js'
import {
  estimatedSize,
  inProvidersMeasure,
  learnFactor,
  promptTokens,
  sizesOf,
} from '../../../src/agent/sizes.js'
import { stateHolding } from './books.js'
import { stateOf } from './manifests.js'

const HELLO = { role: 'user', text: 'hello' } as const

describe('the sizes of messages', () => {
  test('are what workers counted, and estimated where they did not', () => {
    const state = stateOf({ tokens: { definition: 100, input: 40 } })
    append(state, HELLO)
    append(state, HELLO, 7)
    expect(sizesOf(state)).toEqual([40, estimatedSize(HELLO), 7])
  })

  test('are estimated anew in the state of an old run, which has none', () => {
    const { sizes: _, ...old } = stateOf()
    expect(sizesOf(old)).toEqual(old.messages.map(estimatedSize))
    expect(sizesOf({ ...old, sizes: [1, 2, 3] })).toHaveLength(1)
  })
})

describe("the provider's measure", () => {
  const state = () =>
    stateHolding([HELLO, HELLO], { tokens: { definition: 100, input: 1 } }, [60, 40])

  test('is ours until it told, definition and messages together', () => {
    expect(promptTokens(state())).toBe(200)
    expect(inProvidersMeasure(state(), 3)).toBe(3)
  })

  test('is learnt from each prompt anew', () => {
    const one = state()
    learnFactor(one, { promptTokens: 300, completionTokens: 9 })
    expect(one.tokenFactor).toBe(1.5)
    expect(inProvidersMeasure(one, 3)).toBe(5)
    learnFactor(one, { promptTokens: 200, completionTokens: 9 })
    expect(promptTokens(one)).toBe(200)
  })

  test.each([
    [1_000_000, 4],
    [1, 0.5],
  ])('of %i tokens is believed only so far: %d', (counted, factor) => {
    const one = state()
    learnFactor(one, { promptTokens: counted, completionTokens: 0 })
    expect(one.tokenFactor).toBe(factor)
  })

  test('stays where the server does not say, or there was nothing to count', () => {
    const one = state()
    learnFactor(one, null)
    learnFactor(one, { promptTokens: 0, completionTokens: 9 })
    expect(one.tokenFactor).toBeUndefined()
    const empty = stateHolding([])
    learnFactor(empty, { promptTokens: 5, completionTokens: 0 })
    expect(empty.tokenFactor).toBeUndefined()
  })
})
