import { describe, expect, test } from 'vitest'
import { hasRests, keepRests } from '../../../src/agent/rests.js'
import { stateOf } from './manifests.js'

const at = (step: number) => ({ ...stateOf(), step })

describe('what was cut from observations', () => {
  test('is kept under the id of its call, in the place of its call', () => {
    const state = at(7)
    keepRests(state, [
      { text: 'short' },
      { text: 'cut', cut: 9, rest: 'left out!' },
      { text: 'cut', cut: 90_000, artifact: 'key' },
      { text: 'cut', cut: 90_000, rest: 'head', error: true },
    ])
    expect(state.rests).toEqual({
      '001000702': { chars: 9, text: 'left out!' },
      '001000703': { chars: 90_000, artifact: 'key' },
      '001000704': { chars: 90_000, text: 'head' },
    })
    expect(hasRests(state)).toBe(true)
  })

  test('is nothing where nothing was cut, or nobody kept it', () => {
    const state = at(1)
    keepRests(state, [{ text: 'short' }, { text: 'cut', cut: 9 }, { text: 'odd', rest: 'x' }])
    expect(state.rests).toBeUndefined()
    expect([hasRests(state), hasRests({ ...state, rests: {} })]).toEqual([false, false])
  })

  test('makes room from its oldest on', () => {
    const state = at(0)
    for (let step = 1; step <= 5; step++) {
      state.step = step
      keepRests(state, [{ text: 'cut', cut: 60_000, rest: 'x'.repeat(60_000) }])
    }
    expect(Object.keys(state.rests ?? {})).toEqual(['001000301', '001000401', '001000501'])
  })

  test('that lies in a store counts too: the state has to be carried', () => {
    const state = at(0)
    for (let step = 1; step <= 3_000; step++) {
      state.step = step
      keepRests(state, [{ text: 'cut', cut: 90_000, artifact: 'x'.repeat(80) }])
    }
    expect(JSON.stringify(state.rests).length).toBeLessThan(200_000)
    expect(Object.keys(state.rests ?? {}).at(-1)).toBe(`0010${(3_000).toString(36)}01`)
  })
})
