import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ArtifactStore } from '../../../src/activities/artifact-store.js'
import { PromptCache } from '../../../src/activities/prompt-cache.js'
import { createToolActivity } from '../../../src/activities/run-tool.js'
import { doing, input } from './acting-tool.js'
import { attempt } from './attempt.js'
import { NO_TABLES } from './sample.js'

const LONG = 'x'.repeat(100_000)
const never = () => new Promise<never>(() => {})

/** An activity of a write tool with a long result, and a store that does `put`. */
function writing(put: ArtifactStore['put'], result: () => unknown = () => LONG) {
  const artifacts = { put, get: async () => null }
  return createToolActivity(doing(result), {
    cache: new PromptCache(),
    tokenizer: NO_TABLES,
    artifacts,
  })
}

const keeping = input({}, { keepRest: true })

describe('a store beside a tool that has done its work', () => {
  it('gets the text under the key of the call', async () => {
    const kept = new Map<string, string>()
    const activity = writing(async (key, text) => void kept.set(key, text))
    const outcome = await attempt().run(activity, keeping)
    const [[key, text] = []] = kept
    expect(key).toMatch(/^origin\/1\.1\.1\/[0-9a-f]{16}$/)
    expect(outcome).toMatchObject({ artifact: key, cut: text?.length })
    expect(outcome.rest).toBeUndefined()
  })

  it.each([
    ['fails', () => Promise.reject(new Error('secret'))],
    ['hangs, and does not listen to its signal', never],
  ])('that %s costs the end of the text, and not the result', async (_, put) => {
    const { run, logged } = attempt({ startToCloseTimeoutMs: 700 })
    const outcome = await run(writing(put), keeping)
    expect(outcome).toMatchObject({ text: expect.stringContaining('xxx'), cut: 98_110 })
    expect(outcome.error).toBeUndefined()
    // As much of it as 64,000 bytes of JSON hold, give or take the average.
    expect(outcome.rest).toMatch(/^x{63900,63998}$/)
    expect(logged.map(({ message }) => message)).toEqual(['artifact store failed'])
  })

  it('is told to stop before the time-out of the tool, whose own time counts', async () => {
    let stopped = false
    const put: ArtifactStore['put'] = (_key, _text, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          stopped = true
          reject(signal.reason)
        })
      })
    const startedAt = Date.now()
    const slow = async () => {
      await sleep(200)
      return LONG
    }
    const outcome = await attempt({ startToCloseTimeoutMs: 1_000 }).run(writing(put, slow), keeping)
    expect(Date.now() - startedAt).toBeLessThan(1_000)
    expect(stopped).toBe(true)
    expect(outcome.rest).toBeDefined()
  })

  it('goes on beating while it writes', async () => {
    const { env, run } = attempt({ heartbeatTimeoutMs: 40 })
    let beats = 0
    const put = () =>
      new Promise<void>((resolve) => {
        env.on('heartbeat', () => ++beats > 3 && resolve())
      })
    expect(await run(writing(put), keeping)).toHaveProperty('artifact')
  })

  it('is cut off when the worker stops, and the result of the tool is told all the same', async () => {
    const { env, run } = attempt({ startToCloseTimeoutMs: 60_000 })
    const put = () => {
      env.cancel('WORKER_SHUTDOWN')
      return never()
    }
    const outcome = await run(writing(put), keeping)
    expect(outcome).toMatchObject({ cut: 98_110 })
  })
})
