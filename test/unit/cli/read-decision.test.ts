import { expect, test } from 'vitest'
import { readDecision } from '../../../src/cli/chat/read-decision.js'

test.each([
  ['y', { kind: 'approve', all: false }],
  [' Yes ', { kind: 'approve', all: false }],
  ['a', { kind: 'approve', all: true }],
  ['n', { kind: 'deny', reason: '' }],
  ['no too much, ask first', { kind: 'deny', reason: 'too much, ask first' }],
  ['e {"amount": 80}', { kind: 'approve', all: false, args: { amount: 80 } }],
])('%s is read as what it says', (text, decision) => {
  expect(readDecision(text)).toEqual(decision)
})

test.each(['', 'what?', 'e', 'e [1]', 'e {"a"', 'yesterday'])('%s decides nothing', (text) => {
  expect(readDecision(text).kind).toBe('unclear')
})
