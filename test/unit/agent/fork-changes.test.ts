import { expect, test } from 'vitest'
import { append, assistantMessage, toolMessage } from '../../../src/agent/conversation.js'
import { digestOf } from '../../../src/agent/digest.js'
import { applyChanges, observationsOf } from '../../../src/agent/fork-changes.js'
import { AFTER_CALLS } from '../../../src/agent/stop-rules/index.js'
import { firstVerdict } from '../../../src/agent/stop-rules/stop-rule.js'
import { callId } from '../../../src/contract/messages.js'
import type { RunState } from '../../../src/contract/run.js'
import { type ManifestChanges, stateOf } from './manifests.js'
import { asks, call } from './scripted-effects.js'

/** A state after one step with two calls. */
function afterOneStep(changes: ManifestChanges = {}): RunState {
  const state = stateOf(changes)
  state.step = 1
  const message = assistantMessage(asks(call('search'), call('read')), 1, 1)
  append(state, message)
  append(state, toolMessage(message, 1, 'found'))
  append(state, toolMessage(message, 2, 'read'))
  return state
}

test('without changes, a state stays as it is but for its search attributes', () => {
  const state = afterOneStep()
  const before = structuredClone(state)
  expect(applyChanges(state, {}, ['PerdureAgent'])).toEqual([])
  const { manifest, digest: _, ...rest } = state
  const { manifest: old, digest: __, ...restBefore } = before
  expect(rest).toEqual(restBefore)
  expect(manifest).toEqual({ ...old, searchAttributes: ['PerdureAgent'] })
})

test('the digest is that of what was changed', () => {
  const state = afterOneStep()
  applyChanges(
    state,
    { instructions: 'Be brief.', input: 'Where?', observations: { '1.2': 'torn' } },
    [],
  )
  expect(state.messages.map(({ text }) => text)).toEqual(['Where?', '', 'found', 'torn'])
  expect(state.manifest.instructions).toBe('Be brief.')
  expect(state.digest).toBe(digestOf(state.manifest, state.messages))
  expect(state.sizes).toHaveLength(4)
})

test('another model is the first, and no longer among its fallbacks', () => {
  const state = afterOneStep({ model: 'one', fallbackModels: ['two', 'three'] })
  Object.assign(state, { fallback: 1, tokenFactor: 2 })
  applyChanges(state, { model: 'two' }, [])
  expect(state.manifest).toMatchObject({ model: 'two', fallbackModels: ['three'] })
  expect(state).not.toHaveProperty('fallback')
  expect(state).not.toHaveProperty('tokenFactor')
})

test('limits that are not named stay, and a deadline counts from the fork on', () => {
  const state = afterOneStep({ maxSteps: 3 })
  state.startedAt = 1_000
  applyChanges(state, { limits: { deadlineMs: 60_000 } }, [])
  expect(state.manifest.limits).toEqual({ maxSteps: 3, deadlineMs: 60_000 })
  expect(state).not.toHaveProperty('startedAt')
})

test('a rule that has fired does not fire again at once', () => {
  const state = afterOneStep()
  Object.assign(state, { repeating: true, recentCalls: ['a/b', 'a/b', 'a/b'], errorStreak: 3 })
  applyChanges(state, {}, [])
  expect(firstVerdict(AFTER_CALLS, state, () => 0)).toBeNull()
  expect(state).toMatchObject({ recentCalls: [], errorStreak: 0 })
})

test('what was seen of repeats stays where no rule has fired', () => {
  const state = afterOneStep()
  state.recentCalls = ['a/b', 'a/b']
  applyChanges(state, {}, [])
  expect(state.recentCalls).toHaveLength(2)
})

test('an observation that is changed leaves neither a rest nor a cached result of the old one', () => {
  const state = afterOneStep()
  const id = callId(1, 1, 1)
  state.rests = { [id]: { chars: 4, text: 'more' } }
  const cached = { tool: 'search', text: 'found', turn: 1, at: 0 }
  state.cache = { a: { ...cached, source: '1.1.1' }, b: { ...cached, source: '1.1.2' } }
  applyChanges(state, { observations: { '1.1': 'nothing' } }, [])
  expect(state.rests).toEqual({})
  expect(Object.keys(state.cache)).toEqual(['b'])
})

test.each(['1.3', '2.1', '1', 'x', '1.1.1', ''])('there is no observation %j', (place) => {
  expect(applyChanges(afterOneStep(), { observations: { [place]: 'x' } }, [])).toEqual([place])
})

test('the observations that there are have their places and tools', () => {
  expect(observationsOf(afterOneStep())).toEqual([
    { place: '1.1', tool: 'search' },
    { place: '1.2', tool: 'read' },
  ])
})
