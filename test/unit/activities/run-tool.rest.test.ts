import { describe, expect, it } from 'vitest'
import type { ArtifactStore } from '../../../src/activities/artifact-store.js'
import { idempotencyKey } from '../../../src/activities/idempotency-key.js'
import { PromptCache } from '../../../src/activities/prompt-cache.js'
import { createToolActivity } from '../../../src/activities/run-tool.js'
import { ToolError } from '../../../src/definition/tool-error.js'
import { doing, input } from './acting-tool.js'
import { attempt } from './attempt.js'
import { NO_TABLES } from './sample.js'

const CALL = input({ q: 'x' }, { keepRest: true })

function run(result: unknown, store?: ArtifactStore, call = CALL, given = attempt()) {
  const deps = { cache: new PromptCache(), tokenizer: NO_TABLES, artifacts: store }
  return given.run(
    createToolActivity(
      doing(() => {
        if (result instanceof Error) throw result
        return result
      }),
      deps,
    ),
    call,
  )
}

/** A store that keeps everything. */
function memoryStore() {
  const kept = new Map<string, string>()
  const store: ArtifactStore = {
    put: async (key, text) => {
      kept.set(key, text)
    },
    get: async (key) => kept.get(key) ?? null,
  }
  return { store, kept }
}

describe('what is cut from an observation', () => {
  it('goes with it, and the cut names the id', async () => {
    const { text, rest, cut, artifact } = await run('x'.repeat(5_000))
    expect(text.length).toBeLessThanOrEqual(2_000)
    expect(text).toContain('read_more shows them: id "001000101"')
    expect(rest).toHaveLength(cut ?? 0)
    expect(text.replace(/\n\[….*…\]\n/, '').length + (cut ?? 0)).toBe(5_000)
    expect(artifact).toBeUndefined()
  })

  it('is nothing where all is shown', async () => {
    expect(await run('short')).toEqual({ text: 'short', size: 6 })
  })

  it('is lost where the agent does not want it', async () => {
    const outcome = await run('x'.repeat(5_000), undefined, input({ q: 'x' }))
    expect(Object.keys(outcome).sort()).toEqual(['size', 'text'])
    expect(outcome.text).not.toContain('read_more')
  })

  it('of an error is cut in its message alone, so that its JSON stays whole', async () => {
    const outcome = await run(new ToolError('y'.repeat(5_000)))
    expect(Object.keys(outcome).sort()).toEqual(['error', 'size', 'text'])
    const { message } = JSON.parse(outcome.text) as { message: string }
    expect(message).toMatch(/^y+\n\[… \d+ of 5000 characters left out …\]\ny+$/)
  })

  it('goes to the store above 64,000 bytes, under the key of the call', async () => {
    const { store, kept } = memoryStore()
    const outcome = await run('中'.repeat(30_000), store)
    const key = idempotencyKey('act', CALL)
    expect(outcome).toMatchObject({ artifact: key })
    expect(outcome).not.toHaveProperty('rest')
    expect(kept.get(key)).toHaveLength(outcome.cut ?? 0)
    expect(await run('中'.repeat(20_000), store)).not.toHaveProperty('artifact')
  })

  it('is kept in its first part where there is no store', async () => {
    const { rest = '', cut = 0 } = await run(`${'a'.repeat(1_400)}${'😀'.repeat(40_000)}`)
    expect(Buffer.byteLength(rest)).toBeLessThanOrEqual(64_000)
    expect(rest.isWellFormed()).toBe(true)
    expect(cut).toBeGreaterThan(70_000)
  })

  it('is kept in its first part when the store fails: the tool has done its work', async () => {
    const given = attempt()
    const put = () => Promise.reject(new Error('store down'))
    const store: ArtifactStore = { ...memoryStore().store, put }
    const outcome = await run('x'.repeat(90_000), store, CALL, given)
    expect(outcome.error).toBeUndefined()
    expect(outcome.rest).toMatch(/^x{63900,63998}$/)
    expect(given.logged).toMatchObject([{ message: 'artifact store failed' }])
  })

  it('does not hold up the end of a run whose store does not listen', async () => {
    const given = attempt()
    const put = () => {
      queueMicrotask(() => given.env.cancel())
      return new Promise<void>(() => {})
    }
    const store: ArtifactStore = { ...memoryStore().store, put }
    expect(await run('x'.repeat(90_000), store, CALL, given)).toMatchObject({
      rest: expect.any(String),
    })
  })

  it('is put away under a heartbeat', async () => {
    const given = attempt({ heartbeatTimeoutMs: 40 })
    const beaten = new Promise<void>((resolve) => given.env.on('heartbeat', () => resolve()))
    const store: ArtifactStore = { ...memoryStore().store, put: () => beaten }
    expect(await run('x'.repeat(90_000), store, CALL, given)).toHaveProperty('artifact')
  })
})

it('a local activity tells its place, which its history would not', async () => {
  const call = input({}, { turn: 2, step: 3, call: 4 })
  expect(await run('x', undefined, call, attempt({ isLocal: true }))).toMatchObject({
    at: { turn: 2, step: 3, call: 4 },
  })
  expect(await run('x', undefined, call)).not.toHaveProperty('at')
})
