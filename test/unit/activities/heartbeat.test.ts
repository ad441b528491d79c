import { CancelledFailure } from '@temporalio/activity'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { beating, beatMs, isShutdown, throwIfAborted } from '../../../src/activities/heartbeat.js'
import { attempt } from './attempt.js'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

const nothing = () => undefined

function counted(heartbeatTimeoutMs?: number) {
  const { env } = attempt(heartbeatTimeoutMs === undefined ? {} : { heartbeatTimeoutMs })
  const told: unknown[] = []
  env.on('heartbeat', (details: unknown) => told.push(details))
  return { context: env.context, beats: () => told.length, told }
}

describe('work under a heartbeat', () => {
  it('beats four times within the time-out, and no more when it is done', async () => {
    const { context, beats } = counted(2_000)
    const work = beating(context, nothing, async () => {
      vi.advanceTimersByTime(2_000)
      return 'done'
    })
    expect(await work).toBe('done')
    expect(beats()).toBe(4)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('tells with each beat the details as they are then', async () => {
    const { context, told } = counted(2_000)
    let progress = 0
    await beating(
      context,
      () => ({ progress }),
      async () => {
        vi.advanceTimersByTime(1_000)
        progress = 7
        vi.advanceTimersByTime(1_000)
      },
    )
    expect(told).toEqual([{ progress: 0 }, { progress: 0 }, { progress: 7 }, { progress: 7 }])
  })

  it('stops beating when it fails', async () => {
    const { context } = counted(2_000)
    const failing = beating(context, nothing, () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('stops beating when it throws at once', async () => {
    const { context } = counted(2_000)
    const failing = beating(context, nothing, () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([undefined, 0])('does not beat without a time-out (%s)', async (timeout) => {
    const { context, beats } = counted(timeout)
    await beating(context, nothing, async () => vi.advanceTimersByTime(60_000))
    expect(beats()).toBe(0)
  })
})

describe('an attempt', () => {
  it('that is not aborted goes on', () => {
    expect(() => throwIfAborted(attempt().env.context, false)).not.toThrow()
  })

  it.each(['CANCELLED', 'TIMED_OUT', 'NOT_FOUND', 'RESET', 'PAUSED'] as const)(
    'that ends by %s throws the cancellation',
    (reason) => {
      const { env } = attempt()
      env.cancel(reason)
      expect(() => throwIfAborted(env.context, true)).toThrow(
        expect.objectContaining({ name: 'CancelledFailure', message: reason }),
      )
    },
  )

  it.each([true, false])('whose worker stops may be tried by another: %s', (repeatable) => {
    const { env } = attempt()
    env.cancel('WORKER_SHUTDOWN')
    expect(isShutdown(env.context)).toBe(true)
    expect(() => throwIfAborted(env.context, repeatable)).toThrow(
      expect.objectContaining({ type: 'WorkerShutdown', nonRetryable: !repeatable }),
    )
  })

  it('that goes on, or was cancelled, is no shutdown', () => {
    const { env } = attempt()
    expect(isShutdown(env.context)).toBe(false)
    env.cancel()
    expect(isShutdown(env.context)).toBe(false)
  })
})

describe('work that does not listen to its signal', () => {
  it('is left alone when the attempt is aborted', async () => {
    vi.useRealTimers()
    const { env } = attempt()
    const work = beating(env.context, nothing, () => new Promise(() => {}))
    env.cancel()
    await expect(work).rejects.toBeInstanceOf(CancelledFailure)
  })

  it('may end in its own words when it does listen', async () => {
    vi.useRealTimers()
    const { env } = attempt()
    const { cancellationSignal } = env.context
    const work = beating(env.context, nothing, () => {
      return new Promise((_, reject) => {
        cancellationSignal.addEventListener('abort', () => reject(new Error('stopped')))
      })
    })
    env.cancel()
    await expect(work).rejects.toThrow('stopped')
  })
})

it.each([
  [2_000, 500],
  [6_000, 1_500],
  [60_000, 1_500],
])('a time-out of %i ms means a beat every %i ms', (timeout, ms) => {
  expect(beatMs(timeout)).toBe(ms)
})
