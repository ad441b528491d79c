import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ModelError } from '../../../src/models/model-error.js'
import { rejection } from './attempt.js'
import { modelWorker } from './model-worker.js'

const HOUR = 3_600_000
const DOWN = () => Promise.reject(new ModelError('down', { status: 503 }))

/** An attempt that was scheduled `hours` after the first, and that waited for a worker since then. */
function afterOutage(heartbeatTimeoutMs: number, more: object = {}) {
  const now = Date.now()
  return {
    attempt: 2,
    heartbeatTimeoutMs,
    scheduledTimestampMs: now - HOUR,
    currentAttemptScheduledTimestampMs: now - HOUR + 1_000,
    ...more,
  }
}

describe('the time of a model call', () => {
  it('is that of the definition', async () => {
    const now = Date.now()
    const info = {
      attempt: 2,
      scheduledTimestampMs: now - 4_500,
      currentAttemptScheduledTimestampMs: now,
    }
    const short = modelWorker(DOWN, { info, manifest: { modelTotalMs: 5_000 } })
    expect(await rejection(short.call())).toMatchObject({ type: 'ModelRejected' })
    const long = modelWorker(DOWN, { info, manifest: { modelTotalMs: 500_000 } })
    expect(await rejection(long.call())).toMatchObject({ type: 'ModelUnavailable' })
  })

  it('that is used up costs no request', async () => {
    const now = Date.now()
    const info = {
      attempt: 6,
      scheduledTimestampMs: now - HOUR,
      currentAttemptScheduledTimestampMs: now,
    }
    const { call, prompts } = modelWorker(DOWN, { info })
    expect(await rejection(call())).toMatchObject({
      type: 'ModelRejected',
      message: '5 attempts took longer than 600 s together.',
    })
    expect(prompts).toEqual([])
  })

  it('does not count an hour without any worker', async () => {
    const { call } = modelWorker(DOWN, { info: afterOutage(10_000) })
    expect(await rejection(call())).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false })
  })
})

describe('the time without a worker', () => {
  it('is told with each heartbeat', async () => {
    const { call, beats } = modelWorker(
      async () => {
        await sleep(50)
        return DOWN()
      },
      { info: afterOutage(80) },
    )
    await rejection(call())
    expect(beats.length).toBeGreaterThan(0)
    for (const details of beats) expect(details).toEqual({ waitedMs: expect.any(Number) })
  })

  it('is told to the next attempt, though this one fails before its first heartbeat', async () => {
    const { call, beats } = modelWorker(DOWN, { info: afterOutage(10_000) })
    await rejection(call())
    expect(beats.at(-1)).toEqual({ waitedMs: expect.any(Number) })
  })

  it('is told on when reading the prompt takes long, or fails', async () => {
    const heartbeatDetails = { waitedMs: HOUR - 60_000 }
    const now = Date.now()
    const info = {
      ...afterOutage(40, { heartbeatDetails }),
      currentAttemptScheduledTimestampMs: now,
    }
    const { call, beats } = modelWorker(DOWN, {
      info,
      page: async () => {
        await sleep(60)
        throw new Error('no workflow worker')
      },
    })
    await rejection(call())
    expect(beats.length).toBeGreaterThan(0)
    for (const details of beats) expect(details).toEqual(heartbeatDetails)
  })
})
