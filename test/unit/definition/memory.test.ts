import { describe, expect, test } from 'vitest'
import { defineAgent } from '../../../src/definition/define-agent.js'
import { DefinitionError } from '../../../src/definition/definition-error.js'
import { memoryPolicy } from '../../../src/definition/memory.js'

const good = { name: 'after-sales', instructions: 'Help customers.', model: 'gpt-4o-mini' }
const SUMMARY = { keepMessages: 6, aboveTokens: 3_000, maxWords: 100 }

describe('the memory of an agent', () => {
  test.each([
    [undefined, { summary: SUMMARY, turns: 10 }],
    [{}, { summary: SUMMARY, turns: 10 }],
    [{ turns: 3 }, { summary: SUMMARY, turns: 3 }],
    [{ turns: false }, { summary: SUMMARY }],
    [{ summary: false }, { turns: 10 }],
    [{ summary: {} }, { summary: SUMMARY, turns: 10 }],
    [
      { summary: { keepMessages: 2, model: 'cheap' } },
      { summary: { ...SUMMARY, keepMessages: 2, model: 'cheap' }, turns: 10 },
    ],
    [{ summary: false, turns: false, maxTokens: 800 }, { maxTokens: 800 }],
  ] as const)('%j is the policy %j', (memory, policy) => {
    expect(memoryPolicy(memory)).toEqual(policy)
    expect(
      defineAgent({ ...good, ...(memory === undefined ? {} : { memory }) }).manifest.memory,
    ).toEqual(policy)
  })

  test('none keeps everything', () => {
    expect(memoryPolicy('none')).toBeUndefined()
    expect(defineAgent({ ...good, memory: 'none' }).manifest).not.toHaveProperty('memory')
  })

  test.each<[string, unknown]>([
    ['memory: must be "none" or { summary?: false | { keepMessages', 'all'],
    ['memory: must be "none" or', null],
    ['memory: must be "none" or', 7],
    ['memory', { summary: true }],
    ['memory.summary.keepMessages', { summary: { keepMessages: 0 } }],
    ['memory', { summary: { aboveTokens: 1.5 } }],
    ['memory.summary.maxWords', { summary: { maxWords: 9 } }],
    ['memory.summary.maxWords', { summary: { maxWords: 2_001 } }],
    ['memory.summary.model', { summary: { model: ' ' } }],
    ['memory.summary', { summary: { words: 5 } }],
    ['memory.turns', { turns: 0 }],
    ['memory', { turns: true }],
    ['memory.maxTokens', { maxTokens: 99 }],
    ['memory', { window: 6 }],
  ])('is refused, and what is wrong is told: %s in %j', (told, memory) => {
    const define = () => defineAgent({ ...good, memory } as unknown as typeof good)
    expect(define).toThrow(DefinitionError)
    expect(define).toThrow(`agent "after-sales": ${told}`)
  })
})
