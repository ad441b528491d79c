import { describe, expect, test } from 'vitest'
import { runCalls } from '../../../src/agent/run-calls.js'
import type { ToolCallInput, ToolOutcome } from '../../../src/contract/activities.js'
import { OVER_LIMIT } from '../../../src/contract/activities.js'
import type { ToolManifest } from '../../../src/contract/manifest.js'
import type { ToolCall } from '../../../src/contract/messages.js'
import type { RunState } from '../../../src/contract/run.js'
import { type ManifestChanges, stateOf, toolOf } from './manifests.js'
import { call } from './scripted-effects.js'

/** A run that takes one step after the other; each call that is run brings a result of its own. */
function runOf(tools: readonly ToolManifest[], changes: ManifestChanges = {}) {
  const state: RunState = stateOf({ tools, ...changes })
  const ran: ToolCallInput[] = []
  const world = { now: 0, answer: (n: number): ToolOutcome => ({ text: `result ${n}`, size: n }) }
  const step = async (...calls: readonly ToolCall[]): Promise<ToolOutcome[]> => {
    state.step++
    delete state.reused
    const message = {
      role: 'assistant',
      text: '',
      calls,
      turn: state.turn,
      step: state.step,
    } as const
    return await runCalls(state, message, {
      now: () => world.now,
      readArtifact: async () => ({ text: 'no store', error: true }),
      runTool: async (_tool, input) => {
        ran.push(input)
        return world.answer(ran.length)
      },
    })
  }
  return { state, ran, world, step }
}

const search = call('search', { q: 'x' })
const CACHED = toolOf('search', { cache: 'run', volatileFields: ['at'] })

describe('the same call again', () => {
  test('is answered from the state, with its size, and the next model call is told whose result it is', async () => {
    const { state, ran, step } = runOf([CACHED])
    expect(await step(search)).toEqual([{ text: 'result 1', size: 1 }])
    expect(state.reused).toBeUndefined()
    expect(await step(call('search', { q: 'y' }), search)).toEqual([
      { text: 'result 2', size: 2 },
      { text: 'result 1', size: 1 },
    ])
    expect(ran).toHaveLength(2)
    expect(state.reused).toEqual({ 2: '1.1.1' })
  })

  test('is the same with another volatile argument', async () => {
    const { ran, step } = runOf([CACHED])
    await step(call('search', { q: 'x', at: 1 }))
    await step(call('search', { at: 2, q: 'x' }))
    expect(ran).toHaveLength(1)
  })

  test('is answered after continue-as-new too', async () => {
    const { state, ran, step } = runOf([CACHED])
    await step(search)
    Object.assign(state, JSON.parse(JSON.stringify(state)))
    await step(search)
    expect(ran).toHaveLength(1)
  })

  test('runs again without a cache, in another turn, or when its time is over', async () => {
    const plain = runOf([toolOf('search')])
    await plain.step(search)
    await plain.step(search)
    expect(plain.ran).toHaveLength(2)

    const turn = runOf([toolOf('search', { cache: 'turn' })])
    await turn.step(search)
    Object.assign(turn.state, { turn: 2 })
    await turn.step(search)
    expect(turn.ran).toHaveLength(2)

    const timed = runOf([toolOf('search', { cache: 1_000 })])
    await timed.step(search)
    timed.world.now = 999
    await timed.step(search)
    expect(timed.ran).toHaveLength(1)
    timed.world.now = 1_000
    await timed.step(search)
    expect(timed.ran).toHaveLength(2)
  })

  test('runs again after an error', async () => {
    const { state, ran, world, step } = runOf([CACHED])
    world.answer = () => ({ text: 'down', error: true })
    await step(search)
    expect(state.cache ?? {}).toEqual({})
    await step(search)
    expect(ran).toHaveLength(2)
  })

  test('keeps no size where none was counted', async () => {
    const { world, step } = runOf([CACHED])
    world.answer = () => ({ text: 'found' })
    await step(search)
    expect(await step(search)).toEqual([{ text: 'found' }])
  })
})

describe('two of the same call beside each other', () => {
  test('are one, and the second has the result of the first, but not what was cut from it', async () => {
    const { state, ran, world, step } = runOf([CACHED])
    world.answer = () => ({ text: 'cut', size: 3, cut: 9, rest: 'the rest.' })
    expect(await step(search, call('read'), search)).toMatchObject([
      { text: 'cut', rest: 'the rest.' },
      { error: true },
      { text: 'cut', size: 3 },
    ])
    expect(ran).toHaveLength(1)
    expect(state.reused).toEqual({ 3: '1.1.1' })
  })

  test('share an error too, and it is not kept', async () => {
    const { state, ran, world, step } = runOf([CACHED])
    world.answer = () => ({ text: 'down', error: true })
    expect(await step(search, search)).toEqual([
      { text: 'down', error: true },
      { text: 'down', error: true },
    ])
    expect(ran).toHaveLength(1)
    expect(Object.keys(state.cache ?? {})).toEqual([])
  })

  test('are one after the other where the agent says so, and the second is cached', async () => {
    const { state, ran, step } = runOf([CACHED], { parallel: false })
    await step(search, search)
    expect(ran).toHaveLength(1)
    expect(state.reused).toEqual({ 2: '1.1.1' })
  })

  test('above a limit are both refused, and the steps say so', async () => {
    const { state, ran, step } = runOf([toolOf('search', { cache: 'run', maxCalls: 1 })])
    await step(call('search', { q: 'other' }))
    expect(await step(search, search)).toMatchObject([{ error: true }, { error: true }])
    expect(ran).toHaveLength(1)
    expect(state.reused).toEqual({ 1: OVER_LIMIT, 2: OVER_LIMIT })
  })
})

describe('a tool that makes results worthless', () => {
  const write = toolOf('write', { invalidates: ['search'] })

  test.each([{}, { error: true as const }])(
    'clears them, whatever came of it: %j',
    async (more) => {
      const { ran, world, step } = runOf([CACHED, write])
      await step(search)
      world.answer = () => ({ text: 'done', ...more })
      await step(call('write'))
      await step(search)
      expect(ran).toHaveLength(3)
    },
  )

  test('clears those of its own step too: nobody knows which came first', async () => {
    const { ran, step } = runOf([CACHED, write])
    await step(search, call('write'))
    await step(search)
    expect(ran).toHaveLength(3)
  })

  test('that runs alone clears those before it, not those after it', async () => {
    const { ran, step } = runOf([CACHED, { ...write, parallel: false }])
    await step(search, call('write'), search)
    expect(ran).toHaveLength(3)
    await step(search)
    expect(ran).toHaveLength(3)
  })

  test('clears nothing when it could not run', async () => {
    const { ran, step } = runOf([CACHED, write])
    await step(search)
    await step({ ...call('write'), problem: 'bad arguments' })
    await step(search)
    expect(ran).toHaveLength(1)
  })
})

describe('a tool with a limit', () => {
  test('is not run above it; the model is told, and so are the steps', async () => {
    const { state, ran, step } = runOf([toolOf('search', { maxCalls: 2 })])
    const [one, two, three] = await step(search, search, search)
    expect([one, two]).toEqual([
      { text: 'result 1', size: 1 },
      { text: 'result 2', size: 2 },
    ])
    expect(three?.error).toBe(true)
    expect(JSON.parse(three?.text ?? '')).toMatchObject({
      error_type: 'call_limit',
      message: expect.stringContaining('search may be called 2 times'),
      retryable: false,
    })
    expect(ran).toHaveLength(2)
    expect(state.reused).toEqual({ 3: OVER_LIMIT })
  })

  test('counts over steps and over continue-as-new, each tool for itself', async () => {
    const { state, ran, step } = runOf([toolOf('search', { maxCalls: 1 }), toolOf('read')])
    await step(search, call('read'))
    Object.assign(state, JSON.parse(JSON.stringify(state)))
    await step(search, call('read'))
    expect(ran).toHaveLength(3)
    expect(state.callCounts).toEqual({ search: 1 })
  })

  test('is not charged for what came from the cache, or could not run', async () => {
    const { state, step } = runOf([toolOf('search', { cache: 'run', maxCalls: 5 })])
    await step(search, search, { ...search, problem: 'bad' })
    await step(search)
    expect(state.callCounts).toEqual({ search: 1 })
  })

  test.each(['constructor', '__proto__', 'toString'])('may be named %s', async (name) => {
    const { state, ran, step } = runOf([toolOf(name, { maxCalls: 1, cache: 'run' })])
    await step(call(name, { a: 1 }))
    await step(call(name, { a: 1 }))
    const [refused] = await step(call(name, { a: 2 }))
    expect(ran).toHaveLength(1)
    expect(refused?.error).toBe(true)
    expect(Object.entries(state.callCounts ?? {})).toEqual([[name, 1]])
  })
})
