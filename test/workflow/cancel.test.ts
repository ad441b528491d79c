import { expect, test } from 'vitest'
import { z } from 'zod'
import { RunCancelledError } from '../../src/client.js'
import { defineTool } from '../../src/index.js'
import { callTool, hang } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { createGate } from '../kit/gate.js'
import { startHarness } from '../kit/harness.js'

/** The bound of the promise: a run that is asked to end has ended after so long. */
const WITHIN_MS = 2_000

test('cancel during a hanging model call: the run ends and the server sees the socket close', async () => {
  const { client, model } = await startHarness({ agents: [testAgent()], script: [hang()] })
  const run = await client.start('test-agent', { input: 'Go' })
  await model.waitFor(1)
  const asked = Date.now()
  await run.cancel()
  await expect(run.result()).rejects.toThrow(RunCancelledError)
  expect(Date.now() - asked).toBeLessThan(WITHIN_MS)
  await model.waitFor((log) => log[0]?.closedByClient === true)
  expect(Date.now() - asked).toBeLessThan(WITHIN_MS)
  expect(await run.status()).toMatchObject({ status: 'cancelled' })
  expect(model.requests).toHaveLength(1)
})

test('cancel during a tool: its signal aborts and nothing is called any more', async () => {
  const started = createGate()
  const aborted = createGate()
  const slow = defineTool({
    name: 'slow',
    description: 'Use when the test says so.',
    input: z.object({}),
    execute: (_, { signal }) => {
      started.open()
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.open()
          reject(signal.reason)
        })
      })
    },
  })
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [slow] })],
    script: [callTool('slow', {})],
  })
  const run = await client.start('test-agent', { input: 'Go' })
  await started.opened
  const asked = Date.now()
  await run.cancel()
  await expect(run.result()).rejects.toThrow(RunCancelledError)
  await aborted.opened
  expect(Date.now() - asked).toBeLessThan(WITHIN_MS)
  expect(model.requests).toHaveLength(1)
})
