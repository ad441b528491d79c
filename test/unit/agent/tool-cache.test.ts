import { describe, expect, test } from 'vitest'
import { cached, cacheKey, invalidate, putCached } from '../../../src/agent/tool-cache.js'
import type { CachedResult, RunState } from '../../../src/contract/run.js'
import { stateOf, toolOf } from './manifests.js'
import { call } from './scripted-effects.js'

const result = (more: Partial<CachedResult> = {}): CachedResult => ({
  tool: 'search',
  text: 'found',
  turn: 1,
  at: 1_000,
  source: '1.1.1',
  ...more,
})

function holding(results: Readonly<Record<string, CachedResult>>): RunState {
  const state = stateOf()
  for (const [key, one] of Object.entries(results)) putCached(state, key, one)
  return state
}

describe('the key of a call', () => {
  const tool = toolOf('search', { volatileFields: ['at'] })
  const key = (args: Parameters<typeof call>[1], name = 'search') =>
    cacheKey(call(name, args), tool)

  test('is the same whatever the order of its arguments, and without volatile ones', () => {
    expect(key({ a: 1, b: 2 })).toBe(key({ b: 2, a: 1 }))
    expect(key({ a: 1, at: 5 })).toBe(key({ a: 1, at: 6 }))
  })

  test('is another for other arguments, another order of a list, another tool', () => {
    const keys = [key({}), key({ a: 1 }), key({ a: '1' }), key({ a: [1, 2] }), key({ a: [2, 1] })]
    expect(new Set([...keys, key({}, 'read')]).size).toBe(6)
  })
})

describe('a result counts', () => {
  test.each([
    ['run', { turn: 1 }, 1e12, true],
    ['run', { turn: 7 }, 1e12, true],
    ['turn', { turn: 1 }, 1e12, true],
    ['turn', { turn: 7 }, 0, false],
    [500, { turn: 7 }, 1_499, true],
    [500, { turn: 1 }, 1_500, false],
  ] as const)('for "%s" in %j at %d: %j', (cache, more, now, counts) => {
    const state = { ...holding({ k: result() }), ...more }
    expect(cached(state, 'k', toolOf('search', { cache }), now)).toEqual(counts ? result() : null)
  })

  test('for no other call, and for no tool that has no cache', () => {
    const state = holding({ k: result() })
    expect(cached(state, 'other', toolOf('search', { cache: 'run' }), 0)).toBeNull()
    expect(cached(state, 'k', toolOf('search'), 0)).toBeNull()
    expect(cached(stateOf(), 'k', toolOf('search', { cache: 'run' }), 0)).toBeNull()
  })
})

describe('what is kept', () => {
  test('is the newest result of a call, as the newest of all', () => {
    const state = holding({ a: result(), b: result() })
    putCached(state, 'a', result({ text: 'new' }))
    expect(Object.entries(state.cache ?? {})).toEqual([
      ['b', result()],
      ['a', result({ text: 'new' })],
    ])
  })

  test('never changes what was given away', () => {
    const state = holding({ a: result() })
    const before = state.cache
    putCached(state, 'b', result())
    expect(Object.keys(before ?? {})).toEqual(['a'])
  })

  test('has 200,000 characters at most: the oldest go', () => {
    const state = stateOf()
    for (let i = 0; i < 150; i++) putCached(state, `k${i}`, result({ text: 'x'.repeat(2_000) }))
    expect(JSON.stringify(state.cache).length).toBeLessThan(200_000)
    expect(Object.keys(state.cache ?? {})).toHaveLength(88)
    expect(Object.keys(state.cache ?? {}).at(-1)).toBe('k149')
  })

  test('is bounded for tiny results too: the state has to be carried', () => {
    const state = stateOf()
    for (let i = 0; i < 2_000; i++) putCached(state, `k${i}`, result({ text: '' }))
    expect(JSON.stringify(state.cache).length).toBeLessThan(200_000)
  })
})

describe('a tool that is named', () => {
  test('loses its results, and no other tool does', () => {
    const state = holding({ a: result(), b: result({ tool: 'read' }), c: result({ tool: 'list' }) })
    invalidate(state, ['search', 'list', 'unknown'])
    expect(Object.keys(state.cache ?? {})).toEqual(['b'])
  })

  test('may have none', () => {
    const state = stateOf()
    invalidate(state, ['search'])
    expect(state.cache).toBeUndefined()
    const full = holding({ a: result() })
    invalidate(full, [])
    expect(Object.keys(full.cache ?? {})).toEqual(['a'])
  })
})
