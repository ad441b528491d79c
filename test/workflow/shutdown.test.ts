import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import { callTool, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { createGate } from '../kit/gate.js'
import { startHarness } from '../kit/harness.js'

const base = { description: 'Use when the test says so.', input: z.object({}) }

test('a write tool that is cut off by the end of its worker runs once, and the model hears that nobody knows', async () => {
  const started = createGate()
  let runs = 0
  const charge = defineTool({
    ...base,
    name: 'charge',
    execute: (_, { signal }) => {
      runs++
      started.open()
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    },
  })
  const { client, model, startWorker } = await startHarness({
    agents: [testAgent({ tools: [charge] })],
    script: [callTool('charge', {}), say('I do not know.')],
    withWorker: false,
  })
  const first = await startWorker({ shutdownGraceTime: '300ms' })
  const run = await client.start('test-agent', { input: 'Go' })
  await started.opened
  await first.stop()
  await startWorker()
  expect(await run.result()).toMatchObject({ answer: 'I do not know.' })
  expect(runs).toBe(1)
  expect(model.requests[1]?.body?.messages.at(-1)?.content).toContain('outcome_unknown')
})

test('tools that do not listen to their signal hold up neither the end of a worker nor the next attempt', async () => {
  const started = createGate()
  let runs = 0
  const deaf = defineTool({
    ...base,
    name: 'deaf',
    annotations: { readOnlyHint: true },
    execute: () => {
      started.open()
      return ++runs === 1 ? new Promise(() => {}) : 'heard'
    },
  })
  const { client, startWorker } = await startHarness({
    agents: [testAgent({ tools: [deaf] })],
    script: [callTool('deaf', {}), say('done')],
    withWorker: false,
  })
  const first = await startWorker({ shutdownGraceTime: '300ms' })
  const run = await client.start('test-agent', { input: 'Go' })
  await started.opened
  const told = Date.now()
  await first.stop()
  expect(Date.now() - told).toBeLessThan(3_000)
  await startWorker()
  expect(await run.result()).toMatchObject({ answer: 'done' })
  expect(runs).toBe(2)
})

test('what a tool told by heartbeat is there for its next attempt', async () => {
  const seen: unknown[] = []
  const paged = defineTool({
    ...base,
    name: 'paged',
    annotations: { readOnlyHint: true },
    execute: (_, { heartbeat, heartbeatDetails, attempt }) => {
      seen.push(heartbeatDetails)
      heartbeat({ page: attempt })
      if (attempt < 3) throw new Error('again')
      return 'all pages'
    },
  })
  const { client } = await startHarness({
    agents: [testAgent({ tools: [paged] })],
    script: [callTool('paged', {}), say('done')],
  })
  await (await client.start('test-agent', { input: 'Go' })).result()
  expect(seen).toEqual([undefined, { page: 1 }, { page: 2 }])
})

test('a worker may be told to stop before it runs, and again', async () => {
  const { startWorker } = await startHarness({
    agents: [testAgent()],
    script: [],
    withWorker: false,
  })
  const worker = await startWorker()
  worker.shutdown()
  worker.shutdown()
  await worker.stop()
  worker.shutdown()
  expect(worker.worker.getState()).toBe('STOPPED')
})
