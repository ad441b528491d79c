import { describe, expect, test } from 'vitest'
import {
  dropOlder,
  dueSummary,
  putSummary,
  summaryText,
} from '../../../../src/agent/memory/window.js'
import type { SummaryPolicy } from '../../../../src/contract/manifest.js'
import { callId, type Message } from '../../../../src/contract/messages.js'
import { expectInOrder, stateHolding } from '../books.js'

const QUESTION: Message = { role: 'user', text: 'Where is my order?' }
const SUMMARY: Message = { role: 'user', kind: 'summary', text: 'What was.' }

/** A step of one call. */
function step(at: number): Message[] {
  return [
    { role: 'assistant', text: '', calls: [{ name: 'search', args: {} }], turn: 1, step: at },
    { role: 'tool', id: callId(1, at, 1), text: `found ${at}` },
  ]
}

function state(
  messages: readonly Message[],
  policy: Partial<SummaryPolicy> = {},
  sizes: readonly number[] = messages.map(() => 100),
) {
  const summary = { keepMessages: 2, aboveTokens: 150, maxWords: 100, ...policy }
  return stateHolding(messages, { memory: { summary } }, sizes)
}

describe('what is due for a summary', () => {
  test('is nothing without the policy', () => {
    expect(dueSummary(stateHolding([QUESTION, ...step(1)]))).toBeNull()
  })

  test('is all but the newest messages and the goal, and its size is told', () => {
    const one = state([QUESTION, ...step(1), ...step(2)])
    expect(dueSummary(one)).toEqual({ to: 3, goal: 0, tokens: 200 })
  })

  test('is nothing while the older part is no larger than the policy says, the goal aside', () => {
    const messages = [QUESTION, ...step(1), ...step(2)]
    expect(dueSummary(state(messages, { aboveTokens: 200 }))).toBeNull()
    expect(dueSummary(state(messages, { aboveTokens: 199 }))).not.toBeNull()
  })

  test('is measured as the provider counts', () => {
    const one = state([QUESTION, ...step(1), ...step(2)], { aboveTokens: 350 })
    expect(dueSummary(one)).toBeNull()
    expect(dueSummary({ ...one, tokenFactor: 2 })).toEqual({ to: 3, goal: 0, tokens: 400 })
  })

  test('never parts a call from its results: the newest messages become more', () => {
    const one = state([QUESTION, ...step(1), ...step(2)], { keepMessages: 1 })
    expect(dueSummary(one)?.to).toBe(3)
  })

  test('is all of it where the goal is not among it', () => {
    const messages = [QUESTION, ...step(1), { ...QUESTION, text: 'And now?' }, ...step(2)]
    const one = state(messages, { keepMessages: 3 })
    expect(dueSummary(one)).toEqual({ to: 3, goal: null, tokens: 300 })
  })

  test('is a part of it, where one summary could not take it all', () => {
    const messages = [QUESTION, ...step(1), ...step(2), ...step(3), ...step(4)]
    const sizes = messages.map(({ role }) => (role === 'tool' ? 3_900 : 50))
    const one = state(messages, {}, sizes)
    expect(dueSummary(one)).toEqual({ to: 5, goal: 0, tokens: 7_900 })
  })

  test('is one group at least, however large it is', () => {
    const one = state(
      [QUESTION, ...step(1), ...step(2), ...step(3)],
      {},
      [9, 9, 50_000, 9, 9, 9, 9],
    )
    expect(dueSummary(one)).toMatchObject({ to: 3, tokens: 50_009 })
    const after = state([SUMMARY, QUESTION, ...step(1), ...step(2)], {}, [9_000, 9, 9, 9_000, 9, 9])
    expect(dueSummary(after)).toMatchObject({ to: 4, goal: 1 })
  })

  test('is never the last summary alone, or the goal: that would go on for ever', () => {
    expect(dueSummary(state([SUMMARY, ...step(1)], {}, [9_000, 5, 5]))).toBeNull()
    expect(dueSummary(state([SUMMARY, QUESTION, ...step(1)], {}, [9_000, 5, 5, 5]))).toBeNull()
  })
})

describe('a summary', () => {
  test('stands first, in the place of what it tells; the goal stays', () => {
    const one = state([QUESTION, ...step(1), ...step(2)])
    putSummary(one, { to: 3, goal: 0, tokens: 200 }, { text: 'Found.', size: 42 })
    const told = { role: 'user', kind: 'summary', text: summaryText('Found.') }
    expect(one.messages).toEqual([told, QUESTION, ...step(2)])
    expect(one.sizes).toEqual([42, 100, 100, 100])
    expectInOrder(one)
  })

  test('that no worker counted has an estimated size', () => {
    const one = state([QUESTION, ...step(1), ...step(2)])
    putSummary(one, { to: 3, goal: 0, tokens: 200 }, { text: 'Found.' })
    expect(one.sizes?.[0]).toBeGreaterThan(10)
    expectInOrder(one)
  })

  test('says that it is one', () => {
    expect(summaryText('Found.')).toMatch(/^Summary of the conversation so far.*\nFound\.$/s)
  })
})

describe('messages that could not be summarised', () => {
  test('are dropped, and a message says so', () => {
    const one = state([QUESTION, ...step(1), ...step(2)])
    dropOlder(one, { to: 3, goal: 0, tokens: 200 })
    expect(one.messages).toEqual([
      { role: 'user', kind: 'summary', text: expect.stringContaining('were left out') },
      QUESTION,
      ...step(2),
    ])
    expectInOrder(one)
  })

  test('leave the last summary as it is, with its size', () => {
    const one = state([SUMMARY, QUESTION, ...step(1), ...step(2)], {}, [77, 1, 2, 3, 4, 5])
    dropOlder(one, { to: 4, goal: 1, tokens: 82 })
    expect(one.messages).toEqual([SUMMARY, QUESTION, ...step(2)])
    expect(one.sizes).toEqual([77, 1, 4, 5])
    expectInOrder(one)
  })
})
