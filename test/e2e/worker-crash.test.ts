import { expect, inject, test } from 'vitest'
import { hang, type Reply } from '../../src/testing/index.js'
import { type HeldShop, RUN, STEPS, startHeldShop } from '../kit/held-shop.js'
import type { TestProcess } from '../kit/processes.js'

/**
 * With a 2 s heartbeat and a 1 s sticky time-out: recovery in 7 s, and a second for what was left. From the
 * moment that the second worker polls: how long a process takes to start says nothing of recovery.
 */
const WITHIN_MS = 7_000 + 1_000

function startShop(script: readonly Reply[]): Promise<HeldShop> {
  const { address } = inject('temporal')
  return startHeldShop({ model: { script: [...script] }, address })
}

async function ended(worker: TestProcess): Promise<number | null> {
  worker.signal('SIGTERM')
  return await worker.exited
}

test('kill -9 in the middle of a refund: another worker finishes the run, and it is paid once', async () => {
  const { model, client, startWorker, ...shop } = await startShop(STEPS)
  await shop.hold()
  const first = await startWorker()
  const run = await client.start('after-sales', RUN)
  await expect.poll(async () => (await shop.paid()).length, { timeout: 20_000 }).toBe(1)
  first.signal('SIGKILL')
  await first.exited
  await shop.release()
  const second = await startWorker()
  const there = Date.now()
  expect(await run.result()).toMatchObject({
    stopReason: 'answered',
    answer: 'Refunded, and you have mail.',
    steps: 6,
  })
  expect(Date.now() - there).toBeLessThan(WITHIN_MS)
  // No finished step was asked again.
  expect(model.requests.map(({ status }) => status)).toEqual(Array(6).fill(200))
  const keys = await shop.paid()
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
  expect(await ended(second)).toBe(0)
  expect(await shop.written()).toEqual({ refunds: 1, emails: 1 })
})

test('kill -9 in the middle of a model call: only that call is made again', async () => {
  const script = [...STEPS.slice(0, 4), hang(), ...STEPS.slice(4)]
  const { model, client, startWorker, written } = await startShop(script)
  const first = await startWorker()
  const run = await client.start('after-sales', RUN)
  await model.waitFor(5, { timeoutMs: 20_000 })
  first.signal('SIGKILL')
  await first.exited
  const second = await startWorker()
  const there = Date.now()
  expect(await run.result()).toMatchObject({ stopReason: 'answered', steps: 6 })
  expect(Date.now() - there).toBeLessThan(WITHIN_MS)
  expect(model.requests).toHaveLength(7)
  // The new worker has seen nothing of the run, and asks with the very same conversation.
  expect(model.requests[5]?.body).toEqual(model.requests[4]?.body)
  expect(await ended(second)).toBe(0)
  expect(await written()).toEqual({ refunds: 1, emails: 1 })
})

test('SIGTERM to the only worker in mid-run: it ends within its grace period, the next one loses no step', async () => {
  const script = [...STEPS.slice(0, 2), hang(), ...STEPS.slice(2)]
  const { model, client, startWorker, written } = await startShop(script)
  const first = await startWorker()
  const run = await client.start('after-sales', RUN)
  await model.waitFor(3, { timeoutMs: 20_000 })
  const told = Date.now()
  expect(await ended(first)).toBe(0)
  // 2 s of grace for the hanging call, and the rest for a process that ends.
  expect(Date.now() - told).toBeLessThan(4_000)
  const second = await startWorker()
  expect(await run.result()).toMatchObject({ stopReason: 'answered', steps: 6 })
  expect(model.requests).toHaveLength(7)
  expect(await ended(second)).toBe(0)
  expect(await written()).toEqual({ refunds: 1, emails: 1 })
})

test('SIGTERM to a worker that has just taken a run over: nothing hangs, no step is lost', async () => {
  const script = [...STEPS.slice(0, 2), hang(), ...STEPS.slice(2)]
  const { model, client, startWorker, written } = await startShop(script)
  const first = await startWorker()
  const run = await client.start('after-sales', RUN)
  await model.waitFor(3, { timeoutMs: 20_000 })
  first.signal('SIGKILL')
  await first.exited
  const second = await startWorker()
  const handle = client.client.workflow.getHandle(run.id)
  // The second worker has the call's next attempt, with a cold cache.
  await expect
    .poll(async () => (await handle.describe()).raw.pendingActivities?.[0]?.attempt, {
      timeout: 20_000,
      interval: 10,
    })
    .toBe(2)
  const told = Date.now()
  expect(await ended(second)).toBe(0)
  expect(Date.now() - told).toBeLessThan(5_000)
  const third = await startWorker()
  expect(await run.result()).toMatchObject({ stopReason: 'answered', steps: 6 })
  // Each of the steps that were answered was asked once; the hanging one once more, or twice.
  expect(model.requests.filter(({ status }) => status === 200)).toHaveLength(6)
  expect(await ended(third)).toBe(0)
  expect(await written()).toEqual({ refunds: 1, emails: 1 })
})
