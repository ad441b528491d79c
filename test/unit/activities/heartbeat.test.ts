import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { beating, throwIfAborted } from '../../../src/activities/heartbeat.js'
import { attempt } from './attempt.js'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

function counted(heartbeatTimeoutMs?: number) {
  const { env } = attempt(heartbeatTimeoutMs === undefined ? {} : { heartbeatTimeoutMs })
  let beats = 0
  env.on('heartbeat', () => {
    beats++
  })
  return { context: env.context, beats: () => beats }
}

describe('work under a heartbeat', () => {
  it('beats four times within the time-out, and no more when it is done', async () => {
    const { context, beats } = counted(2_000)
    const work = beating(context, async () => {
      vi.advanceTimersByTime(2_000)
      return 'done'
    })
    expect(await work).toBe('done')
    expect(beats()).toBe(4)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('stops beating when it fails', async () => {
    const { context } = counted(2_000)
    const failing = beating(context, () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('stops beating when it throws at once', async () => {
    const { context } = counted(2_000)
    const failing = beating(context, () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([undefined, 0])('does not beat without a time-out (%s)', async (timeout) => {
    const { context, beats } = counted(timeout)
    await beating(context, async () => vi.advanceTimersByTime(60_000))
    expect(beats()).toBe(0)
  })
})

describe('an attempt', () => {
  it('that is not aborted goes on', () => {
    expect(() => throwIfAborted(attempt().env.context)).not.toThrow()
  })

  it.each(['CANCELLED', 'TIMED_OUT', 'NOT_FOUND', 'RESET', 'PAUSED'] as const)(
    'that ends by %s throws the cancellation',
    (reason) => {
      const { env } = attempt()
      env.cancel(reason)
      expect(() => throwIfAborted(env.context)).toThrow(
        expect.objectContaining({ name: 'CancelledFailure', message: reason }),
      )
    },
  )

  it('whose worker stops may be tried by another', () => {
    const { env } = attempt()
    env.cancel('WORKER_SHUTDOWN')
    expect(() => throwIfAborted(env.context)).toThrow(
      expect.objectContaining({ type: 'WorkerShutdown', nonRetryable: false }),
    )
  })
})
