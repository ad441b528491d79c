import { expect, test } from 'vitest'
import { dryAnswer, dryKey } from '../../../src/agent/dry-calls.js'
import { forkedState } from '../../../src/agent/fork.js'
import { runTurn } from '../../../src/agent/loop.js'
import { currentDetails } from '../../../src/agent/render.js'
import type { Fork } from '../../../src/contract/fork.js'
import type { RunState } from '../../../src/contract/run.js'
import { stateOf, toolOf } from './manifests.js'
import { asks, call, says, scriptedEffects } from './scripted-effects.js'

const FROM = { id: 'first', runId: 'r1', step: 1 }
const reading = toolOf('read', { annotations: { readOnlyHint: true } })
const writing = toolOf('write', { annotations: { idempotentHint: true } })

function forkOf(dry: Fork['dry']): RunState {
  const state = stateOf({ tools: [reading, writing] })
  return forkedState({ state, from: FROM, ...(dry === undefined ? {} : { dry }) }, 'own-run')
}

test('a fork has an origin of its own, and says where it comes from', () => {
  const state = forkOf({})
  expect(state).toMatchObject({ origin: 'own-run', fork: { from: FROM } })
  expect(state.rows).toEqual([
    { step: 0, what: 'forked from first before step 1', tokens: 0, ms: 0 },
  ])
})

test('the Temporal UI shows where a fork comes from, and whether it writes', () => {
  expect(currentDetails(forkOf({}), null)).toContain(
    'forked from **first** before step 1 · tools that write are not run',
  )
  expect(currentDetails(forkOf(undefined), null)).not.toContain('not run')
  expect(currentDetails(stateOf(), null)).not.toContain('forked')
})

test('only tools that are not read-only are not run, and only in a dry fork', () => {
  expect(dryAnswer(forkOf({}), call('read'), reading)).toBeNull()
  expect(dryAnswer(forkOf(undefined), call('write'), writing)).toBeNull()
  expect(dryAnswer(stateOf(), call('write'), writing)).toBeNull()
  expect(dryAnswer(forkOf({}), call('write'), writing)).toMatchObject({ source: 'dry' })
})

test('the same call gets its recorded result, whatever the order of its arguments', () => {
  const key = dryKey(call('write', { a: 1, b: 2 }))
  const state = forkOf({ [key]: { text: 'written' } })
  expect(dryAnswer(state, call('write', { b: 2, a: 1 }), writing)).toEqual({
    outcome: { text: 'written' },
    source: `dry:${key}`,
  })
  expect(dryAnswer(state, call('write', { a: 2 }), writing)).toMatchObject({ source: 'dry' })
})

test('the loop runs no activity for them, and tells readers of the history', async () => {
  const state = forkOf({})
  const effects = scriptedEffects({ replies: [asks(call('write'), call('read')), says('done')] })
  await runTurn(state, effects)
  expect(effects.toolCalls.map(({ tool }) => tool.name)).toEqual(['read'])
  expect(effects.modelCalls[1]).toMatchObject({ reused: { 1: 'dry' } })
  expect(state.messages[2]).toMatchObject({ text: expect.stringContaining('write was not run') })
  expect(state.errorStreak).toBe(0)
})
