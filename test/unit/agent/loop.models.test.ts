import { describe, expect, test } from 'vitest'
import { runTurn } from '../../../src/agent/loop.js'
import { fallBack } from '../../../src/agent/models.js'
import type { ModelReply } from '../../../src/contract/reply.js'
import { stateOf } from './manifests.js'
import { asks, call, says, scriptedEffects } from './scripted-effects.js'

/** A turn in which the first model is exhausted at these steps, as the effects would see it. */
async function run(downAt: readonly number[], replies: readonly ModelReply[]) {
  const state = stateOf({ model: 'a', fallbackModels: ['b', 'c'] })
  const effects = scriptedEffects({ replies })
  const { callModel } = effects
  const end = await runTurn(state, {
    ...effects,
    callModel: (input) => {
      // The workflow's effects do it within the call: the loop asks once for each step.
      if (downAt.includes(input.step)) fallBack(state)
      return callModel(input)
    },
  })
  if (end.kind !== 'done') throw new Error(`ended by ${end.kind}`)
  return { state, effects, result: end.result }
}

describe('a turn with fallback models', () => {
  test('counts the replies of the model that gave them', async () => {
    const { result } = await run([2], [asks(call('search')), asks(call('read')), says('Done.')])
    expect(result).toMatchObject({ answer: 'Done.', stopReason: 'answered', steps: 3 })
    expect(result.models).toEqual({ a: 1, b: 2 })
  })

  test('answers the same step: a fall costs no step and no model call of the loop', async () => {
    const { effects, result } = await run([1], [says('Done.')])
    expect(effects.modelCalls.map(({ step }) => step)).toEqual([1])
    expect(result).toMatchObject({ steps: 1, models: { b: 1 } })
  })

  test('shows in the table of steps which model answered instead of the first', async () => {
    const { state } = await run([2], [asks(call('search')), says('Done.')])
    expect(state.rows.map(({ what }) => what)).toEqual(['search', 'answer · b'])
  })

  test('may fall twice', async () => {
    const { result } = await run([1, 2], [asks(call('search')), says('Done.')])
    expect(result.models).toEqual({ b: 1, c: 1 })
  })

  test('counts the forced answer, and an empty reply, as replies', async () => {
    const { result } = await run([], [says(''), says('Done.')])
    expect(result).toMatchObject({ models: { a: 2 }, usage: { modelCalls: 2 } })
  })

  test('leaves prompt and digest as they are: any model answers the same conversation', async () => {
    const script = [asks(call('search')), says('Done.')]
    const plain = await run([], script)
    const fallen = await run([1], script)
    expect(fallen.effects.modelCalls).toEqual(plain.effects.modelCalls)
    expect(fallen.state.messages).toEqual(plain.state.messages)
  })
})

test.each(['context_length', 'content_filter', 'refusal'] as const)(
  'a reply that says %s ends the turn after one model call',
  async (finish) => {
    const state = stateOf()
    const reply: ModelReply = { text: '', calls: [], finish, tokens: null }
    const effects = scriptedEffects({ replies: [reply] })
    const end = await runTurn(state, effects)
    expect(end).toMatchObject({ kind: 'done', result: { stopReason: finish, steps: 1 } })
    expect(effects.modelCalls).toHaveLength(1)
  },
)
