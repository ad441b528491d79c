import { expect, test } from 'vitest'
import {
  beginSession,
  enqueue,
  isQueueFull,
  putOutcome,
  reportOf,
  shrinkSession,
  turnOf,
} from '../../../src/agent/session-state.js'
import type { RunResult } from '../../../src/contract/run.js'
import type { SessionState, TurnOutcome } from '../../../src/contract/session.js'
import { NO_USAGE } from '../../../src/contract/usage.js'
import { stateOf } from './manifests.js'

function begun(settings = {}): SessionState {
  return beginSession({ agent: 'a', settings }, 'origin')
}

function answered(answer: string): TurnOutcome {
  const result: RunResult = {
    answer,
    stopReason: 'answered',
    steps: 1,
    usage: NO_USAGE,
    models: {},
    usageByModel: {},
  }
  return { kind: 'result', result }
}

test('turns are numbered in the order in which they are asked for, and known by their request', () => {
  const session = begun()
  expect(enqueue(session, { requestId: 'r1', text: 'q1' }).turn).toBe(1)
  expect(enqueue(session, { requestId: 'r2', text: 'q2' }).turn).toBe(2)
  expect(turnOf(session, 'r1')).toBe(1)
  expect(turnOf(session, 'r3')).toBeUndefined()
})

test('the last 1,000 requests are known beside those that wait', () => {
  const session = begun()
  for (let n = 1; n <= 1_500; n++) {
    enqueue(session, { requestId: `r${n}`, text: 'q' })
    session.queue.shift()
  }
  // The newest was waiting when it came.
  expect(session.requests).toHaveLength(1_001)
  expect(turnOf(session, 'r499')).toBeUndefined()
  expect(turnOf(session, 'r500')).toBe(500)
})

test('the queue is full at its limit of questions, and of bytes', () => {
  const session = begun({ maxQueued: 2 })
  enqueue(session, { requestId: 'r1', text: 'q1' })
  expect(isQueueFull(session, 'q')).toBe(false)
  enqueue(session, { requestId: 'r2', text: 'q2' })
  expect(isQueueFull(session, 'q')).toBe(true)
  expect(isQueueFull(begun(), 'x'.repeat(300_000))).toBe(false)
  expect(isQueueFull(begun(), 'x'.repeat(300_001))).toBe(true)
})

test('a turn is pending while it waits and while it runs, then ended, at last gone', () => {
  const session = begun()
  const ask = enqueue(session, { requestId: 'r1', text: 'q1' })
  expect(reportOf(session, 1)).toEqual({ kind: 'pending', queued: true, waitingFor: [] })
  session.active = session.queue.shift() ?? null
  expect(reportOf(session, ask.turn)).toEqual({ kind: 'pending', queued: false, waitingFor: [] })
  putOutcome(session, 1, answered('a1'))
  expect(reportOf(session, 1)).toEqual({ kind: 'ended', outcome: answered('a1') })
  expect(session.active).toBeNull()
  for (let turn = 2; turn < 9; turn++) putOutcome(session, turn, answered('x'.repeat(100_000)))
  expect(reportOf(session, 1)).toEqual({ kind: 'gone' })
})

test('the newest outcome is kept however large it is', () => {
  const session = begun()
  putOutcome(session, 1, answered('small'))
  putOutcome(session, 2, answered('x'.repeat(500_000)))
  expect(session.outcomes.map(([turn]) => turn)).toEqual([2])
})

test('a session that is opened again has its conversation, keys of its own, and takes questions', () => {
  const session = begun()
  session.run = stateOf()
  session.closing = true
  const again = beginSession({ session, reopened: true }, 'other')
  expect(again).toMatchObject({ origin: 'other', closing: false, run: session.run })
  expect(beginSession({ session }, 'other')).toBe(session)
})

test('what is carried fits: the oldest observations go', () => {
  const session = begun()
  expect(shrinkSession(session, 1_000)).toBe(true)
  session.run = stateOf()
  session.run.messages.push({ role: 'tool', id: 'x', text: 'y'.repeat(5_000) })
  delete session.run.sizes
  expect(shrinkSession(session, 4_000)).toBe(true)
  expect(JSON.stringify(session).length).toBeLessThan(4_000)
  expect(shrinkSession(session, 10)).toBe(false)
})
