import { expect, test } from 'vitest'
import { chosen } from '../../../src/cli/commands/approve.js'
import { decisionOf } from '../../../src/cli/decision-options.js'
import { times } from '../../../src/cli/print-request.js'
import { UsageError } from '../../../src/cli/usage-error.js'
import type { PendingRequest } from '../../../src/contract/requests.js'

function request(id: string, changes: Partial<PendingRequest> = {}): PendingRequest {
  return {
    kind: 'approval',
    id,
    turn: 1,
    step: 1,
    call: 1,
    tool: 'refund',
    args: {},
    text: '',
    since: 0,
    deadline: 86_400_000,
    ...changes,
  }
}

test.each([
  [{}, false, null],
  [{ list: true }, false, null],
  [{}, true, { kind: 'approve' }],
  [{ yes: true }, false, { kind: 'approve' }],
  [{ all: true }, false, { kind: 'approve', all: true }],
  [{ editArgs: { a: 1 } }, false, { kind: 'approve', args: { a: 1 } }],
  [{ deny: true }, false, { kind: 'deny' }],
  [{ deny: true, reason: 'no' }, true, { kind: 'deny', reason: 'no' }],
  [{ answer: 'blue' }, false, { kind: 'answer', text: 'blue' }],
])('%o, with a call: %s, decides %o', (options, hasCall, decision) => {
  expect(decisionOf(options, hasCall)).toEqual(decision)
})

test.each([
  { reason: 'no' },
  { deny: true, all: true },
  { deny: true, yes: true },
  { answer: 'blue', deny: true },
  { answer: 'blue', editArgs: {} },
  { list: true, yes: true },
  { list: true, deny: true },
  { list: true, answer: 'blue' },
])('%o do not go together', (options) => {
  expect(() => decisionOf(options, false)).toThrow(UsageError)
})

test('a list has no call', () => {
  expect(() => decisionOf({ list: true }, true)).toThrow('--list')
})

test('the only call that waits need not be named; of several the error names all', () => {
  const [a, b, q] = [request('a'), request('b'), request('q', { kind: 'question' })]
  const approve = { call: undefined, decision: { kind: 'approve' } } as const
  expect(chosen([a, q], approve)).toBe(a)
  expect(() => chosen([a, b], approve)).toThrow('a (refund), b (refund)')
  expect(chosen([a, b], { ...approve, call: 'b' })).toBe(b)
  expect(() => chosen([a], { ...approve, call: 'c' })).toThrow('Call "c" does not wait')
  expect(() => chosen([], approve)).toThrow('Nothing waits for approval')
  expect(chosen([a, q], { call: undefined, decision: { kind: 'answer', text: 'x' } })).toBe(q)
})

test.each([
  [5_000, '(5 s)'],
  [300_000, '(5 min)'],
  [10_800_000, '(3 h)'],
  [259_200_000, '(3 d)'],
])('what has waited for %i ms says %s', (now, text) => {
  expect(times(request('a'), now)).toContain(text)
})
