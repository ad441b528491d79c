import { expect, test } from 'vitest'
import { dropTraces } from '../../../../src/agent/memory/scratchpad.js'
import { callId, type Message } from '../../../../src/contract/messages.js'
import { expectInOrder, stateHolding } from '../books.js'

/** A turn of one call. */
function turn(at: number): Message[] {
  return [
    { role: 'user', text: `question ${at}` },
    {
      role: 'assistant',
      text: 'Let me look.',
      calls: [{ name: 'a', args: {} }],
      turn: at,
      step: 1,
    },
    { role: 'tool', id: callId(at, 1, 1), text: 'found' },
    { role: 'user', kind: 'note', text: 'Answer now.' },
    { role: 'assistant', text: `answer ${at}`, calls: [], turn: at, step: 2 },
  ]
}

function left(turns: number, messages: readonly Message[]): string[] {
  const state = stateHolding(
    messages,
    {},
    messages.map((_, i) => i),
  )
  dropTraces(state, turns)
  expectInOrder(state)
  return state.messages.map(({ text }, i) => `${text} ${state.sizes?.[i]}`)
}

test('of a turn that is over the question and the answer stay, with their sizes', () => {
  expect(left(10, turn(1))).toEqual(['question 1 0', 'answer 1 4'])
})

test('only the newest turns stay, and a summary of what was before them', () => {
  const summary: Message = { role: 'user', kind: 'summary', text: 'summary' }
  expect(left(2, [summary, ...turn(1), ...turn(2), ...turn(3)])).toEqual([
    ...['summary 0', 'question 2 6', 'answer 2 10', 'question 3 11', 'answer 3 15'],
  ])
})

test('a question without an answer stays', () => {
  expect(left(1, [...turn(1), { role: 'user', text: 'Hello?' }])).toEqual(['Hello? 5'])
})
