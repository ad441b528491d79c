import { describe, expect, test } from 'vitest'
import { digestOf } from '../../../src/agent/digest.js'
import { addRow, resultOf, startState } from '../../../src/agent/state.js'
import type { ModelReply, Usage } from '../../../src/contract/reply.js'
import { addUsage } from '../../../src/contract/usage.js'
import { manifestOf, stateOf } from './manifests.js'
import { says } from './scripted-effects.js'

const none: Usage = {
  promptTokens: 0,
  completionTokens: 0,
  totalTokens: 0,
  modelCalls: 0,
  uncountedCalls: 0,
}

describe('the state at the start', () => {
  const manifest = manifestOf()
  const start = { manifest, input: 'a\ud83d', context: { id: 1 }, origin: 'run', turn: 2 }

  test('holds the user message, made well-formed, and its digest', () => {
    const state = startState(start)
    expect(state.messages).toEqual([{ role: 'user', text: 'a\ufffd' }])
    expect(state.digest).toBe(digestOf(manifest, state.messages))
  })

  test('holds what it was given and counts from zero', () => {
    const { manifest: given, context, origin, turn, step, steps, usage } = startState(start)
    expect({ given, context, origin, turn }).toEqual({
      given: manifest,
      context: { id: 1 },
      origin: 'run',
      turn: 2,
    })
    expect({ step, steps, usage }).toEqual({ step: 0, steps: 0, usage: none })
  })

  test('survives JSON', () => {
    const state = startState(start)
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
    expect('input' in state).toBe(false)
  })
})

describe('usage', () => {
  const reply = (tokens: ModelReply['tokens']): ModelReply => ({ ...says(''), tokens })

  test('adds up', () => {
    const one = addUsage(none, reply({ promptTokens: 5, completionTokens: 3 }))
    const two = addUsage(one, reply({ promptTokens: 7, completionTokens: 0 }))
    expect(two).toEqual({
      promptTokens: 12,
      completionTokens: 3,
      totalTokens: 15,
      modelCalls: 2,
      uncountedCalls: 0,
    })
  })

  test('counts a reply without token counts as a call of 0 tokens', () => {
    expect(addUsage(none, reply(null))).toEqual({ ...none, modelCalls: 1, uncountedCalls: 1 })
  })

  test('does not change what it adds to', () => {
    const before = { ...none }
    addUsage(before, reply({ promptTokens: 5, completionTokens: 3 }))
    expect(before).toEqual(none)
  })
})

test('the step table keeps its newest 50 rows', () => {
  const state = stateOf()
  for (let step = 1; step <= 60; step++) addRow(state, { step, what: 'search', tokens: 1, ms: 1 })
  expect(state.rows).toHaveLength(50)
  expect([state.rows[0]?.step, state.rows.at(-1)?.step]).toEqual([11, 60])
})

test('a result says why, how far and at what cost', () => {
  const state = { ...stateOf(), steps: 4, replies: { a: 3, b: 1 } }
  expect(resultOf(state, 'repeats', 'So far.')).toEqual({
    answer: 'So far.',
    stopReason: 'repeats',
    steps: 4,
    usage: none,
    models: { a: 3, b: 1 },
    usageByModel: {},
  })
})

test('a result without a reply names no model', () => {
  expect(resultOf(stateOf(), 'empty_reply', '').models).toEqual({})
})
