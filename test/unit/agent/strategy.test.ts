import { describe, expect, test } from 'vitest'
import { runTurn } from '../../../src/agent/loop.js'
import { stateOf } from './manifests.js'
import { asks, call, says, scriptedEffects } from './scripted-effects.js'

const strategies = [{ name: 'angry', when: 'They are angry.', instructions: 'Stay calm.' }]
const tokens = { promptTokens: 30, completionTokens: 1 }
const replies = [asks(call('search', { q: 'x' })), says('Done.')]

describe('the strategy of a turn', () => {
  test('is chosen once, before the first step, and goes with every model call', async () => {
    const state = stateOf({ strategies })
    const effects = scriptedEffects({
      replies,
      chooseStrategy: () => ({ strategy: 'angry', tokens }),
    })
    const end = await runTurn(state, effects)
    expect(effects.choices).toMatchObject([{ turn: 1, step: 1, count: 1 }])
    expect(effects.modelCalls.map(({ step, strategy }) => [step, strategy])).toEqual([
      [1, 'angry'],
      [2, 'angry'],
    ])
    expect(end).toMatchObject({ result: { strategy: 'angry', steps: 2, stopReason: 'answered' } })
  })

  test('is counted in usage and shown as a row, but is no step', async () => {
    const state = stateOf({ strategies, maxSteps: 1 })
    const effects = scriptedEffects({
      replies: [says('Hello.')],
      chooseStrategy: () => ({ strategy: 'angry', tokens }),
    })
    await runTurn(state, effects)
    expect(state.usage).toMatchObject({ modelCalls: 2, promptTokens: 40, completionTokens: 3 })
    expect(state.replies).toEqual({ 'test-model': 2 })
    expect(state.rows[0]).toMatchObject({ step: 0, what: 'strategy: angry', tokens: 31 })
    expect(state.steps).toBe(1)
  })

  test.each([
    ['none fits', () => ({ strategy: null, tokens }), 'strategy: none'],
    ['the choice fails', () => null, 'strategy: none (the choice failed)'],
  ])('is none when %s', async (_, chooseStrategy, what) => {
    const state = stateOf({ strategies })
    const effects = scriptedEffects({ replies, chooseStrategy })
    const end = await runTurn(state, effects)
    expect(end).toMatchObject({ result: { stopReason: 'answered', answer: 'Done.' } })
    expect(effects.modelCalls.every((input) => !('strategy' in input))).toBe(true)
    expect(state.rows[0]?.what).toBe(what)
  })

  test('is asked of the fallback model that answers now', async () => {
    const state = stateOf({ strategies, fallbackModels: ['second'] })
    state.fallback = 1
    const effects = scriptedEffects({ replies })
    await runTurn(state, effects)
    expect(effects.choices).toMatchObject([{ model: 'second' }])
  })

  test('is kept over continue-as-new', async () => {
    const state = stateOf({ strategies })
    let boundaries = 0
    const effects = scriptedEffects({
      replies,
      chooseStrategy: () => ({ strategy: 'angry', tokens }),
      shouldContinue: () => boundaries++ === 1,
    })
    expect(await runTurn(state, effects)).toEqual({ kind: 'continue' })
    await runTurn(structuredClone(state), effects)
    expect(effects.choices).toHaveLength(1)
    expect(effects.modelCalls.at(-1)?.strategy).toBe('angry')
  })

  test('is not asked for without strategies', async () => {
    const effects = scriptedEffects({ replies })
    await runTurn(stateOf(), effects)
    expect(effects.choices).toEqual([])
  })
})
