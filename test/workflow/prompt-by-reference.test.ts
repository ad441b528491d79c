import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import { type ChatRequest, callTool, hang, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'

test('a worker that has seen nothing of a run reads the prompt from the workflow', async () => {
  const { client, model, startWorker } = await startHarness({
    agents: [testAgent()],
    script: [callTool('lookup', { id: 'A1' }), hang(), say('done')],
    withWorker: false,
  })
  const first = await startWorker()
  const run = await client.start('test-agent', { input: 'Is A1 there?' })
  await model.waitFor(2)
  await first.stop()
  await startWorker()
  expect(await run.result()).toMatchObject({ answer: 'done', steps: 2 })
  // The attempt of the second worker asked with the very same conversation.
  expect(model.requests[2]?.body).toEqual(model.requests[1]?.body)
})

test('two workers that share a run build the same prompts', async () => {
  const { client, model, startWorker } = await startHarness({
    agents: [testAgent({ limits: { maxSteps: 20 }, memory: 'none' })],
    respond: (_: ChatRequest, { index }) =>
      index < 12 ? callTool('lookup', { id: `A${index}` }) : say('done'),
  })
  await startWorker()
  const run = await client.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({ answer: 'done', steps: 13 })
  expect(model.requests.map(({ status }) => status)).toEqual(Array(13).fill(200))
  const last = model.requests[12]?.body?.messages ?? []
  expect(last.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual(
    Array.from({ length: 12 }, (_, i) => `{"id":"A${i}","found":true}`),
  )
})

test('a prompt of over 2 MB is read in pages, and each message is in the history once', async () => {
  const words = 'z'.repeat(500_000)
  const { client, model, startWorker } = await startHarness({
    agents: [testAgent({ instructions: 'i'.repeat(200_000), memory: 'none' })],
    script: [
      ...[1, 2, 3, 4].map((id) => callTool('lookup', { id: `${id}` }, { text: words })),
      hang(),
      say('done'),
    ],
    withWorker: false,
  })
  const first = await startWorker()
  const run = await client.start('test-agent', { input: 'Go' })
  await model.waitFor(5)
  await first.stop()
  await startWorker()
  expect(await run.result()).toMatchObject({ answer: 'done' })
  expect(model.requests[5]?.body).toEqual(model.requests[4]?.body)
  const history = await client.client.workflow.getHandle(run.id).describe()
  // Four replies of 500 kB; had each prompt been an input, it would be five times that.
  expect(history.historySize).toBeLessThan(2_600_000)
})

test('50 steps with 1,000-character observations take less than 175 kB of history', async () => {
  const thousand = defineTool({
    name: 'thousand',
    description: 'Use when the test says so.',
    input: z.object({ n: z.number() }),
    annotations: { readOnlyHint: true },
    execute: ({ n }) => `${n}`.padEnd(1_000, '.'),
  })
  const { client } = await startHarness({
    agents: [testAgent({ tools: [thousand], limits: { maxSteps: 60 }, memory: 'none' })],
    respond: (_: ChatRequest, { index }) =>
      index < 50 ? callTool('thousand', { n: index }) : say('done'),
  })
  const run = await client.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({ steps: 51 })
  const { historySize } = await client.client.workflow.getHandle(run.id).describe()
  expect(historySize).toBeLessThan(175_000)
})
