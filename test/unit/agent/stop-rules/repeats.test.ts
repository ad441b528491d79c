import { describe, expect, test } from 'vitest'
import { REPEAT_NOTE, recordStep, repeats } from '../../../../src/agent/stop-rules/repeats.js'
import { stateOf, toolOf } from '../manifests.js'
import { call } from '../scripted-effects.js'
import { play } from './play.js'

const NOW = () => 0
const endless = (pattern: string): string[] => [...pattern.repeat(20)]

describe('the same call with the same result', () => {
  test('three times in a row ends the turn after 3 + 1 model calls, with a note in the second', async () => {
    expect(await play(endless('A'))).toEqual({ reason: 'repeats', modelCalls: 4, notes: ['2.1'] })
  })

  test('twice in a row is noted and goes on', async () => {
    expect(await play([...'AAB'])).toEqual({ reason: 'answered', modelCalls: 4, notes: ['2.1'] })
  })

  test('once, and again after another call, is not noted', async () => {
    expect(await play([...'ABA'])).toEqual({ reason: 'answered', modelCalls: 4, notes: [] })
  })

  test('is recognised in the middle of a turn', async () => {
    expect(await play([...'ABCD', ...endless('B')])).toEqual({
      reason: 'repeats',
      modelCalls: 8,
      notes: ['6.1'],
    })
  })

  test('is the same whatever the order of its argument keys', async () => {
    const args = (_: string, step: number) => (step % 2 ? { x: 1, y: 2 } : { y: 2, x: 1 })
    expect(await play(endless('A'), { args })).toMatchObject({ reason: 'repeats', modelCalls: 4 })
  })

  test('is another call when the order of an array differs', async () => {
    const args = (_: string, step: number) => ({ x: step % 2 ? [1, 2] : [2, 1] })
    expect(await play([...'AAA'], { args })).toMatchObject({ reason: 'answered', notes: [] })
  })

  test('does not count the note itself as a changed result', () => {
    expect(REPEAT_NOTE).not.toBe('')
    const state = stateOf()
    const step = [{ call: call('search'), tool: toolOf('search'), text: '[]' }]
    expect([1, 2, 3].map(() => recordStep(state, step))).toEqual([[false], [true], [false]])
    expect(repeats(state, NOW)?.reason).toBe('repeats')
  })
})

describe('a cycle', () => {
  test('of two calls ends the turn after 6 + 1 model calls', async () => {
    expect(await play(endless('AB'))).toEqual({ reason: 'repeats', modelCalls: 7, notes: ['4.1'] })
  })

  test('of three calls ends the turn after 9 + 1 model calls', async () => {
    expect(await play(endless('ABC'))).toEqual({
      reason: 'repeats',
      modelCalls: 10,
      notes: ['6.1'],
    })
  })

  test('of four calls is left to the step limit', async () => {
    expect(await play([...'ABCDABCDABCD'])).toEqual({
      reason: 'answered',
      modelCalls: 13,
      notes: [],
    })
  })

  test.each([
    ['two', 'ABABA', '4.1'],
    ['three', 'ABCABCAB', '6.1'],
  ])(
    'of %s calls goes on until its third round is full, with one note',
    async (_, letters, note) => {
      expect(await play([...letters])).toMatchObject({ reason: 'answered', notes: [note] })
    },
  )

  test('is noted when its first repetition is complete, not before', async () => {
    expect(await play([...'ABA'])).toMatchObject({ notes: [] })
    expect(await play([...'ABAB'])).toMatchObject({ notes: ['4.1'] })
    expect(await play([...'ABCABC'])).toMatchObject({ notes: ['6.1'] })
  })
})

describe('a changed result', () => {
  test('is no repeat, however often the same call is made', async () => {
    const result = (letter: string, step: number) => `${letter} ${step}`
    expect(await play([...'AAAAAAAAAAAA'], { result })).toEqual({
      reason: 'answered',
      modelCalls: 13,
      notes: [],
    })
  })

  test('clears the suspicion', async () => {
    const result = (_: string, step: number) => (step <= 2 ? 'old' : 'new')
    expect(await play([...'AAAA'], { result })).toEqual({
      reason: 'answered',
      modelCalls: 5,
      notes: ['2.1', '4.1'],
    })
  })

  test('clears the suspicion of a cycle', async () => {
    const result = (letter: string, step: number) => letter + (step === 4 ? ' changed' : '')
    expect(await play([...'ABABAB'], { result })).toMatchObject({ reason: 'answered', notes: [] })
  })
})

describe('what is no repeat', () => {
  test('is the same tool with new arguments each time', async () => {
    const args = (_: string, step: number) => ({ page: step })
    expect(await play([...'AAAAAA'], { args })).toMatchObject({ reason: 'answered', notes: [] })
  })

  test('is a polling tool with the same result', async () => {
    expect(await play([...'PPPPPP'])).toMatchObject({ reason: 'answered', notes: [] })
  })

  test('is a step of nothing but identical calls: they count once', async () => {
    expect(await play(['AAAAA'])).toEqual({ reason: 'answered', modelCalls: 2, notes: [] })
  })
})

test('identical calls of one step count once in the run of steps too', async () => {
  expect(await play(['AA', 'AA', 'AA', 'AA'])).toEqual({
    reason: 'repeats',
    modelCalls: 4,
    notes: ['2.1'],
  })
})

test('polls between the calls of a repeat do not hide it', async () => {
  expect(await play([...'APAPAP'])).toEqual({ reason: 'repeats', modelCalls: 6, notes: ['3.1'] })
})

describe('volatile fields', () => {
  const args = (_: string, step: number) => ({ q: 'x', at: step })

  test('are left out where the tool declares them', async () => {
    expect(await play(endless('V'), { args })).toEqual({
      reason: 'repeats',
      modelCalls: 4,
      notes: ['2.1'],
    })
  })

  test('count where the tool does not', async () => {
    expect(await play([...'AAAA'], { args })).toMatchObject({ reason: 'answered', notes: [] })
  })
})

describe('a whole step of parallel calls', () => {
  const four = Array<string>(20).fill('ABCD')

  test('three times in a row ends the turn, with one note in the second', async () => {
    expect(await play(four)).toEqual({ reason: 'repeats', modelCalls: 4, notes: ['2.4'] })
  })

  test('is the same in another order', async () => {
    expect(await play(['ABCD', 'DCBA', 'BADC'])).toMatchObject({ reason: 'repeats', modelCalls: 4 })
  })

  test('is another step when one of its results changed', async () => {
    const result = (letter: string, step: number) => letter + (letter === 'C' ? step : '')
    expect(await play(four.slice(0, 6), { result })).toEqual({
      reason: 'answered',
      modelCalls: 7,
      notes: [],
    })
  })

  test('that alternates with another one is a cycle', async () => {
    const words = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'ABCD' : 'BD'))
    expect(await play(words)).toEqual({ reason: 'repeats', modelCalls: 7, notes: ['4.2'] })
  })
})

test('a third repetition counts in the middle of a step too', async () => {
  expect(await play(['AB', 'AB', 'ABC'])).toEqual({
    reason: 'repeats',
    modelCalls: 4,
    notes: ['2.2'],
  })
})

test('a repeat of errors is a repeat: the more exact reason wins', async () => {
  expect(await play(endless('a'))).toMatchObject({ reason: 'repeats', modelCalls: 4 })
})

test('a fresh state has nothing to say', () => {
  expect(repeats(stateOf(), NOW)).toBeNull()
})

test('the window does not grow with the run', () => {
  const state = stateOf()
  for (let i = 0; i < 100; i++) {
    recordStep(state, [{ call: call('search', { i }), tool: toolOf('search'), text: '' }])
  }
  expect([state.recentCalls.length, state.recentSteps.length]).toEqual([9, 9])
})
