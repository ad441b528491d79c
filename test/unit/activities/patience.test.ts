import type { Info } from '@temporalio/activity'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startPatience } from '../../../src/activities/patience.js'
import { attempt } from './attempt.js'

const TOTAL = 600_000
const MINUTE = 60_000
const NOW = Date.parse('2026-03-01T12:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})

afterEach(() => {
  vi.useRealTimers()
})

/** An attempt of a call that began `agoMs` ago, and that waited for a worker for `waitedMs`. */
function started(agoMs: number, waitedMs: number, more: Partial<Info> = {}) {
  const { env } = attempt({
    scheduledTimestampMs: NOW - agoMs,
    currentAttemptScheduledTimestampMs: NOW - waitedMs,
    ...more,
  })
  return startPatience(env.context, TOTAL)
}

describe('the clock of a model call', () => {
  it('runs from the first attempt', () => {
    const clock = started(3 * MINUTE, 100, { attempt: 3 })
    expect(clock.left()).toEqual({ attempt: 3, totalMs: TOTAL, elapsedMs: 3 * MINUTE })
    vi.advanceTimersByTime(2_000)
    expect(clock.left().elapsedMs).toBe(3 * MINUTE + 2_000)
  })

  it('does not count the time that no worker was there', () => {
    const clock = started(60 * MINUTE, 59 * MINUTE, { attempt: 2 })
    expect(clock.left().elapsedMs).toBe(MINUTE)
    expect(clock.details).toEqual({ waitedMs: 59 * MINUTE })
  })

  it.each([
    [5_000, undefined],
    [5_001, { waitedMs: 5_001 }],
  ])('takes %i ms in the queue as %j: a short wait is the way of a queue', (waited, details) => {
    expect(started(MINUTE, waited).details).toEqual(details)
  })

  it('adds up the outages of all attempts', () => {
    const heartbeatDetails = { waitedMs: 20 * MINUTE }
    const clock = started(65 * MINUTE, 40 * MINUTE, { attempt: 4, heartbeatDetails })
    expect(clock.details).toEqual({ waitedMs: 60 * MINUTE })
    expect(clock.left().elapsedMs).toBe(5 * MINUTE)
  })

  it('tells on what attempts before it waited, though it did not wait itself', () => {
    const heartbeatDetails = { waitedMs: 20 * MINUTE }
    expect(started(25 * MINUTE, 10, { attempt: 2, heartbeatDetails }).details).toEqual(
      heartbeatDetails,
    )
  })

  it.each([undefined, null, 'x', 7, [], {}, { waitedMs: 'long' }, { done: 3 }])(
    'is not confused by heartbeat details that are %j',
    (heartbeatDetails) => {
      const clock = started(2 * MINUTE, 0, { attempt: 2, heartbeatDetails })
      expect(clock.left().elapsedMs).toBe(2 * MINUTE)
      expect(clock.details).toBeUndefined()
    },
  )

  it('is not confused by a server whose clock is ahead', () => {
    const { elapsedMs } = started(-3_000, -3_000).left()
    expect(elapsedMs).toBeLessThanOrEqual(0)
    expect(Number.isFinite(elapsedMs)).toBe(true)
  })
})

describe('a call whose time is used up', () => {
  it('is given up before another request is made, saying how many there were', () => {
    expect(() => started(TOTAL + 1, 0, { attempt: 4 })).toThrow(
      expect.objectContaining({
        type: 'ModelRejected',
        nonRetryable: true,
        message: '3 attempts took longer than 600 s together.',
      }),
    )
    expect(() => started(TOTAL, 0, { attempt: 4 })).not.toThrow()
  })

  it('has its first attempt all the same', () => {
    expect(() => started(TOTAL + 1, 0)).not.toThrow()
  })

  it('is not given up for an outage of the workers', () => {
    expect(() => started(60 * MINUTE, 59 * MINUTE, { attempt: 2 })).not.toThrow()
    const heartbeatDetails = { waitedMs: 55 * MINUTE }
    expect(() => started(60 * MINUTE, 0, { attempt: 3, heartbeatDetails })).not.toThrow()
  })
})
