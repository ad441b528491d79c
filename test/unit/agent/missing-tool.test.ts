import { expect, test } from 'vitest'
import { append, shrink } from '../../../src/agent/conversation.js'
import { runTurn } from '../../../src/agent/loop.js'
import { callId } from '../../../src/contract/messages.js'
import { stateOf } from './manifests.js'
import { asks, call, says, scriptedEffects } from './scripted-effects.js'

test('a call whose tool the manifest lacks is answered with an observation, never with nothing', async () => {
  const state = stateOf()
  await runTurn(state, scriptedEffects({ replies: [asks(call('gone')), says('ok')] }))
  expect(state.messages[2]).toMatchObject({
    role: 'tool',
    text: expect.stringContaining('unknown_tool'),
  })
})

test('shrinking counts bytes: short observations of three-byte characters are dropped too', () => {
  const state = stateOf()
  for (let step = 1; step <= 100; step++) {
    append(state, { role: 'assistant', text: '', calls: [], turn: 1, step })
    append(state, { role: 'tool', id: callId(1, step, 1), text: '中'.repeat(63) })
  }
  const max = Buffer.byteLength(JSON.stringify(state)) - 1_000
  expect(shrink(state, max)).toBe(true)
  expect(Buffer.byteLength(JSON.stringify(state))).toBeLessThanOrEqual(max)
})
