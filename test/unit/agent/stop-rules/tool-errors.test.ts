import { describe, expect, test } from 'vitest'
import { runTurn } from '../../../../src/agent/loop.js'
import { toolErrors } from '../../../../src/agent/stop-rules/tool-errors.js'
import { stateOf } from '../manifests.js'
import { asks, says, scriptedEffects } from '../scripted-effects.js'
import { play } from './play.js'

const NOW = () => 0
/** Every call has a result of its own, so that no repeat shows. */
const result = (letter: string, step: number, call: number) => `${letter} ${step}.${call}`
const errors = (words: readonly string[]) => play(words, { result })

test('three steps of nothing but errors end the turn', async () => {
  expect(await errors([...'aaaaaa'])).toEqual({ reason: 'tool_errors', modelCalls: 4, notes: [] })
})

test('two do not', async () => {
  expect(await errors([...'aaB'])).toMatchObject({ reason: 'answered', modelCalls: 4 })
})

test('a step with a success begins a new streak', async () => {
  expect(await errors([...'aaBaaa'])).toMatchObject({ reason: 'tool_errors', modelCalls: 7 })
})

test('one success among the calls of a step is a success', async () => {
  expect(await errors(['ab', 'ab', 'aB', 'ab', 'ab'])).toMatchObject({ reason: 'answered' })
})

test('a step counts once, however many of its calls fail', async () => {
  expect(await errors(['abcd', 'abcd'])).toMatchObject({ reason: 'answered' })
  expect(await errors(['abcd', 'ab', 'd'])).toMatchObject({ reason: 'tool_errors', modelCalls: 4 })
})

test('calls that cannot run are errors', async () => {
  const state = stateOf()
  const effects = scriptedEffects({
    replies: ({ step, forced }) =>
      forced
        ? says('I cannot.')
        : asks({ name: `tool_${step}`, args: {}, problem: `no such tool ${step}` }),
  })
  expect(await runTurn(state, effects)).toMatchObject({ result: { stopReason: 'tool_errors' } })
  expect(effects.modelCalls).toHaveLength(4)
})

describe('the rule', () => {
  test.each([0, 1, 2])('is silent at a streak of %i', (errorStreak) => {
    expect(toolErrors({ ...stateOf(), errorStreak }, NOW)).toBeNull()
  })

  test('fires at 3, and says so to the model', () => {
    expect(toolErrors({ ...stateOf(), errorStreak: 3 }, NOW)).toEqual({
      reason: 'tool_errors',
      message: 'Every tool call of the last 3 steps failed.',
    })
  })
})
