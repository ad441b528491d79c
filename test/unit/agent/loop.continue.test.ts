import { expect, test } from 'vitest'
import { runTurn } from '../../../src/agent/loop.js'
import type { CallModelInput } from '../../../src/contract/activities.js'
import type { ModelReply } from '../../../src/contract/reply.js'
import type { RunState } from '../../../src/contract/run.js'
import { stateOf } from './manifests.js'
import { asks, busy, call, type Script, says, scriptedEffects } from './scripted-effects.js'

/** Runs a turn to its end; continues as new, through JSON, before the steps that are named. */
async function runWithBreaks(script: Script, breaks: readonly number[]) {
  let state = stateOf({ maxSteps: 12 })
  const calls: CallModelInput[] = []
  for (let stretch = 0; ; stretch++) {
    const pending = breaks[stretch]
    const shouldContinue = () => state.step === pending
    const effects = scriptedEffects({ ...script, shouldContinue })
    const end = await runTurn(state, effects)
    calls.push(...effects.modelCalls)
    if (end.kind !== 'continue') return { state, end, calls, stretches: stretch + 1 }
    state = JSON.parse(JSON.stringify(state)) as RunState
  }
}

const scripts: Readonly<Record<string, Script>> = {
  'an answer after several steps': {
    replies: (input) => (input.step === 5 ? says('Done.') : busy(input)),
  },
  'a limit': { replies: (input) => (input.forced ? says('So far.') : busy(input)) },
  'a repeat': {
    replies: ({ step, forced }) =>
      forced ? says('Stuck.') : asks(call(step % 2 === 0 ? 'list' : 'read')),
    runTool: (tool) => ({ text: tool.name }),
  },
  'nothing but errors': {
    replies: (input) => (input.forced ? says('It is down.') : busy(input)),
    runTool: (_tool, { step }) => ({ text: `error ${step}`, error: true }),
  },
  'empty replies': {
    replies: ({ step }): ModelReply => (step % 2 === 1 ? asks(call('search')) : says('')),
  },
}

for (const [name, script] of Object.entries(scripts)) {
  for (const breaks of [[0], [2], [0, 1, 2]]) {
    test(`continuing before steps ${breaks.map((b) => b + 1).join()} loses nothing on the way to ${name}`, async () => {
      const straight = await runWithBreaks(script, [])
      const broken = await runWithBreaks(script, breaks)
      expect(broken.stretches).toBe(breaks.length + 1)
      expect(broken.end).toEqual(straight.end)
      expect(broken.calls).toEqual(straight.calls)
      expect(broken.state).toEqual(straight.state)
    })
  }
}

test('continuing happens between steps: every call has its observation', async () => {
  const state = stateOf()
  const end = await runTurn(
    state,
    scriptedEffects({ replies: busy, shouldContinue: () => state.step === 2 }),
  )
  expect(end).toEqual({ kind: 'continue' })
  expect(state.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'tool',
  ])
})

test('a turn that is over does not continue', async () => {
  const state = stateOf({ maxSteps: 1 })
  const effects = scriptedEffects({
    replies: (input) => (input.forced ? says('So far.') : busy(input)),
    shouldContinue: () => state.step === 1,
  })
  expect(await runTurn(state, effects)).toMatchObject({
    kind: 'done',
    result: { stopReason: 'max_steps' },
  })
})
