import { CancelledFailure } from '@temporalio/activity'
import { describe, expect, it } from 'vitest'
import type { ArtifactStore } from '../../../src/activities/artifact-store.js'
import { createReadArtifact } from '../../../src/activities/read-artifact.js'
import { NO_REST } from '../../../src/contract/read-more.js'
import { attempt, rejection } from './attempt.js'

const INPUT = { turn: 1, step: 2, call: 1, key: 'k', chars: 2_500, page: 2 }

function storing(get: ArtifactStore['get']): ArtifactStore {
  return { put: async () => {}, get }
}

describe('a page of the artifact store', () => {
  it('is read by its key, under the signal of the attempt', async () => {
    const asked: unknown[] = []
    const store = storing(async (key, signal) => {
      asked.push([key, signal.aborted])
      return 'x'.repeat(2_000)
    })
    expect(await attempt().run(createReadArtifact(store), INPUT)).toEqual({
      text: `[page 2 of 2 of what was left out; 500 more were not kept]\n${'x'.repeat(100)}`,
    })
    expect(asked).toEqual([['k', false]])
  })

  it('that is none is an error', async () => {
    const read = createReadArtifact(storing(async () => 'short'))
    expect(await attempt().run(read, INPUT)).toMatchObject({ error: true })
  })

  it('of a text that is gone, or of a worker without a store, says so', async () => {
    for (const store of [storing(async () => null), undefined]) {
      expect(await attempt().run(createReadArtifact(store), INPUT)).toEqual({
        text: NO_REST,
        error: true,
      })
    }
  })

  it('is tried again when the store fails, whose words stay in the log', async () => {
    const { run, logged } = attempt()
    const read = createReadArtifact(storing(() => Promise.reject(new TypeError('secret key'))))
    expect(await rejection(run(read, INPUT))).toMatchObject({
      type: 'ToolFailed',
      nonRetryable: false,
      message: expect.stringMatching(/^The artifact store threw TypeError;/),
    })
    expect(logged).toMatchObject([{ message: 'artifact store failed', meta: { key: 'k' } }])
  })

  it('ends with the cancellation though the store does not listen', async () => {
    const { run, env } = attempt()
    const read = createReadArtifact(
      storing(() => {
        queueMicrotask(() => env.cancel())
        return new Promise(() => {})
      }),
    )
    expect(await rejection(run(read, INPUT))).toBeInstanceOf(CancelledFailure)
  })

  it('is waited for under a heartbeat', async () => {
    const { run, env } = attempt({ heartbeatTimeoutMs: 40 })
    let beats = 0
    const beaten = new Promise<void>((resolve) => {
      env.on('heartbeat', () => {
        beats++
        resolve()
      })
    })
    const read = createReadArtifact(storing(() => beaten.then(() => 'text')))
    await run(read, { ...INPUT, page: 1 })
    expect(beats).toBeGreaterThan(0)
  })
})
