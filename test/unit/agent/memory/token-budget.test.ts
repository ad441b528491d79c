import { describe, expect, test } from 'vitest'
import { dropOldest, halveConversation } from '../../../../src/agent/memory/token-budget.js'
import { callId, type Message } from '../../../../src/contract/messages.js'
import { expectInOrder, stateHolding } from '../books.js'

const QUESTION: Message = { role: 'user', text: 'Where is my order?' }
const NOTE: Message = { role: 'user', kind: 'note', text: 'Answer now.' }

function step(at: number): Message[] {
  return [
    { role: 'assistant', text: '', calls: [{ name: 'search', args: {} }], turn: 1, step: at },
    { role: 'tool', id: callId(1, at, 1), text: `found ${at}` },
  ]
}

/** Each message has 100 tokens. */
function state(...messages: readonly Message[]) {
  return stateHolding(
    messages,
    {},
    messages.map(() => 100),
  )
}

describe('a token budget', () => {
  test.each([
    [500, 0, [QUESTION, ...step(1), ...step(2)]],
    [499, 2, [QUESTION, ...step(2)]],
    [300, 2, [QUESTION, ...step(2)]],
    [1, 2, [QUESTION, ...step(2)]],
  ])('of %i drops the %i oldest, never the goal or the newest step', (maxTokens, count, left) => {
    const one = state(QUESTION, ...step(1), ...step(2))
    expect(dropOldest(one, maxTokens)).toBe(count)
    expect(one.messages).toEqual(left)
    expectInOrder(one)
  })

  test('drops the questions of earlier turns, and not that of this one', () => {
    const one = state({ ...QUESTION, text: 'old' }, ...step(1), QUESTION, ...step(2))
    expect(dropOldest(one, 300)).toBe(3)
    expect(one.messages).toEqual([QUESTION, ...step(2)])
  })

  test('keeps the newest result when a note follows it: there is nothing else to answer from', () => {
    const one = state(QUESTION, ...step(1), ...step(2), NOTE)
    expect(dropOldest(one, 1)).toBe(2)
    expect(one.messages).toEqual([QUESTION, ...step(2), NOTE])
  })

  test('is measured as the provider counts', () => {
    const one = { ...state(QUESTION, ...step(1), ...step(2)), tokenFactor: 0.5 }
    expect(dropOldest(one, 250)).toBe(0)
    expect(dropOldest(one, 249)).toBe(2)
  })

  test('leaves alone what cannot be shortened', () => {
    const one = state(QUESTION, NOTE)
    expect(dropOldest(one, 1)).toBe(0)
    expect(one.messages).toEqual([QUESTION, NOTE])
    expect(dropOldest(state(), 1)).toBe(0)
  })
})

test('half of a conversation is what comes last', () => {
  const one = state(QUESTION, ...step(1), ...step(2), ...step(3))
  expect(halveConversation(one)).toBe(4)
  expect(one.messages).toEqual([QUESTION, ...step(3)])
})
