import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished, test } from 'vitest'
import { say } from '../../src/testing/index.js'
import { stormConversations } from '../conversations/stage.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { startProcess } from '../kit/processes.js'

test('a conversation of 30 turns with kills -9, steers, approvals and interrupts: nothing lost, nothing twice, in order', async () => {
  const { faults, kills } = await stormConversations({
    address: inject('temporal').address,
    count: 1,
    workers: 1,
    every: [2_000, 6_000],
    seed: 20_261_201,
    taskQueue: `talk-${randomUUID()}`,
    onEnd: onTestFinished,
  })
  expect(faults).toEqual([])
  expect(kills).toBeGreaterThan(2)
}, 240_000)

test('a caller that is killed while it waits comes back with the same request and gets the one answer', async () => {
  const { model, taskQueue } = await startHarness({
    agents: [testAgent()],
    script: [{ kind: 'delay', ms: 3_000, reply: say('the answer') }],
  })
  const file = fileURLToPath(new URL('./fixtures/asking.ts', import.meta.url))
  const { address } = inject('temporal')
  const args = [address, taskQueue, `killed-${randomUUID()}`, 'message-81']
  const ask = () => startProcess(process.execPath, ['--import', 'tsx', file, ...args])
  const first = ask()
  await model.waitFor(1)
  first.signal('SIGKILL')
  await first.exited
  expect(first.stdout()).toBe('asking\n')
  const again = ask()
  expect(await again.exited).toBe(0)
  expect(again.stdout()).toBe('asking\n1: the answer\n')
  expect(model.requests).toHaveLength(1)
})
