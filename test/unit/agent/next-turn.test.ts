import { describe, expect, test } from 'vitest'
import { digestOf } from '../../../src/agent/digest.js'
import { runTurn } from '../../../src/agent/loop.js'
import { endTurn, nextTurn } from '../../../src/agent/next-turn.js'
import type { RunState } from '../../../src/contract/run.js'
import { type ManifestChanges, manifestOf, stateOf } from './manifests.js'
import { asks, call, says, scriptedEffects } from './scripted-effects.js'

/** A conversation after one turn: a question, a call with its result, an answer. */
async function afterOneTurn(changes: ManifestChanges): Promise<RunState> {
  const state = stateOf(changes)
  const replies = [asks(call('search', { q: 'A1' })), says('It is on its way.')]
  await runTurn(state, scriptedEffects({ replies }))
  return state
}

function next(state: RunState, changes: ManifestChanges, input = 'And A2?'): RunState {
  return nextTurn(state, { manifest: manifestOf(changes), input, turn: state.turn + 1 })
}

const roles = ({ messages }: RunState) => messages.map(({ role }) => role)

describe('the next turn of a conversation', () => {
  test('keeps what was said and drops the tool calls of the turn before', async () => {
    const memory = { turns: 10 }
    const state = next(await afterOneTurn({ memory }), { memory })
    expect(state.messages).toMatchObject([
      { role: 'user', text: 'Where is my order?' },
      { role: 'assistant', text: 'It is on its way.', calls: [] },
      { role: 'user', text: 'And A2?' },
    ])
    expect(state.digest).toBe(digestOf(state.manifest, state.messages))
    expect(state.sizes).toHaveLength(3)
  })

  test('keeps everything of an agent without memory policies', async () => {
    const state = next(await afterOneTurn({}), {})
    expect(roles(state)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
    expect(state.digest).toBe(digestOf(state.manifest, state.messages))
  })

  test('keeps as many turns as the policy says, the one that begins included', async () => {
    const memory = { turns: 2 }
    let state = await afterOneTurn({ memory })
    for (const input of ['two', 'three', 'four']) {
      state = next(state, { memory }, input)
      await runTurn(state, scriptedEffects({ replies: [says(`${input} it is`)] }))
    }
    expect(state.messages.map(({ text }) => text)).toEqual([
      ...['three', 'three it is', 'four', 'four it is'],
    ])
  })

  test('begins its limits anew, and goes on counting usage', async () => {
    const changes = { limits: { maxTokens: 1_000 } }
    const before = await afterOneTurn(changes)
    const state = next(before, changes)
    expect(state).toMatchObject({
      turn: 2,
      step: 0,
      steps: 0,
      errorStreak: 0,
      rows: [],
      recentCalls: [],
      turnStart: { tokens: before.usage.totalTokens },
      usage: before.usage,
    })
    expect(before.usage.totalTokens).toBe(24)
    const end = await runTurn(state, scriptedEffects({ replies: [says('Fine.')] }))
    expect(end).toMatchObject({ result: { stopReason: 'answered', steps: 1 } })
  })

  test('takes the definition of today, and chooses a strategy of its own', async () => {
    const strategies = [{ name: 'calm', when: 'They are angry.', instructions: 'Stay calm.' }]
    const before = await afterOneTurn({})
    before.strategy = 'old'
    const state = next(before, { strategies, instructions: 'Anew.' })
    expect(state.manifest.instructions).toBe('Anew.')
    expect(state.strategy).toBeUndefined()
  })
})

describe('the end of a turn', () => {
  test('is the word of the model, also where it was forced or cut off', () => {
    const state = stateOf()
    endTurn(state, 'what I had')
    expect(state.messages.at(-1)).toMatchObject({
      role: 'assistant',
      text: 'what I had',
      calls: [],
    })
    const { length } = state.messages
    endTurn(state, 'again')
    expect(state.messages).toHaveLength(length)
    const cut = stateOf()
    endTurn(cut, ' ')
    expect(cut.messages.at(-1)?.text).toBe('[This turn ended before it was answered.]')
    expect(cut.digest).toBe(digestOf(cut.manifest, cut.messages))
  })

  test('takes with it what people said in it', () => {
    const state = stateOf()
    state.approvedTools = ['search']
    state.interrupted = true
    state.decided = { 1: { kind: 'expired', by: null, at: 1 } }
    const next = nextTurn(state, { manifest: manifestOf(), input: 'next', turn: 2 })
    for (const field of ['approvedTools', 'decided', 'interrupted', 'open']) {
      expect(next).not.toHaveProperty(field)
    }
  })
})
