import { randomUUID } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import { stormConversations } from '../conversations/stage.js'

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
