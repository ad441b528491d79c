import type { Payload } from '@temporalio/common'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, ToolError } from '../../src/index.js'
import { type ChatRequest, callTool, say, status } from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { startOwnServer } from '../kit/own-server.js'

const prices = { 'test-model': { promptPerMillion: 10, completionPerMillion: 20 } }
const TEXT = 'Nothing new about this order. '.repeat(60)

const report = defineTool({
  name: 'report',
  description: 'Use when the test says so.',
  input: z.object({ n: z.number() }),
  annotations: { readOnlyHint: true },
  execute: ({ n }) => `${n}: ${TEXT}`,
})

test('the transcript has the summaries, and the usage and cost that the run itself counts', async () => {
  const agent = testAgent({
    tools: [report],
    limits: { maxSteps: 30 },
    memory: { summary: { keepMessages: 2, aboveTokens: 600, maxWords: 20 }, maxTokens: 4_000 },
  })
  let calls = 0
  const { client } = await startHarness({
    agents: [agent],
    worker: { prices },
    respond: ({ tools }: ChatRequest) => {
      if (!tools?.length) return say('The reports say nothing new.')
      calls++
      return calls < 8 ? callTool('report', { n: calls }) : say('That is all.')
    },
  })
  const run = await client.start('test-agent', { input: 'Read the reports.' })
  const result = await run.result()
  const transcript = await run.transcript()
  expect(transcript).toMatchObject({
    agent: 'test-agent',
    model: 'test-model',
    question: 'Read the reports.',
    stuck: null,
  })
  const summaries = transcript.asides.filter(({ kind }) => kind === 'summary')
  expect(summaries.length).toBeGreaterThan(0)
  expect(summaries[0]).toMatchObject({ status: 'done', text: 'The reports say nothing new.' })
  expect(transcript.usage).toEqual(result.usage)
  expect(transcript.usageByModel).toEqual(result.usageByModel)
  expect(transcript.costUsd).toBeCloseTo(result.costUsd ?? -1, 9)
  const parts = [...transcript.steps, ...transcript.asides]
  const sum = parts.reduce((total, { costUsd }) => total + (costUsd ?? 0), 0)
  expect(sum).toBeCloseTo(result.costUsd ?? -1, 9)
  // Summaries stand for what they replace: it is not told as dropped.
  expect(transcript.steps.map(({ dropped }) => dropped)).toEqual(transcript.steps.map(() => 0))
})

test('messages above the budget of the memory are told as dropped, as many as the model no longer sees', async () => {
  const agent = testAgent({
    tools: [report],
    limits: { maxSteps: 30 },
    memory: { maxTokens: 1_500 },
  })
  const { client, model } = await startHarness({
    agents: [agent],
    respond: (_: ChatRequest, { index }) =>
      index < 6 ? callTool('report', { n: index }) : say('That is all.'),
  })
  const run = await client.start('test-agent', { input: 'Read the reports.' })
  await run.result()
  const steps = await run.steps()
  // The instructions, the question, and two messages of each step.
  const all = steps.map((_, i) => 2 + 2 * i)
  const seen = model.requests.map(({ body }) => body?.messages.length ?? 0)
  const missing = all.map((count, i) => count - (seen[i] ?? 0))
  expect(missing.at(-1)).toBeGreaterThan(0)
  let dropped = 0
  expect(steps.map((step) => (dropped += step.dropped))).toEqual(missing)
})

test('retries have their cause, cached calls and calls that were not run say so', async () => {
  let tries = 0
  const flaky = defineTool({
    name: 'flaky',
    description: 'Use when the test says so.',
    input: z.object({}),
    annotations: { readOnlyHint: true },
    execute: () => {
      tries++
      if (tries === 1) throw new ToolError('The shop is busy.', { retryable: true })
      return 'in stock'
    },
  })
  const cachedLookup = defineTool({
    name: 'cached_lookup',
    description: 'Use when the test asks for something by its id.',
    input: z.object({ id: z.string() }),
    annotations: { readOnlyHint: true },
    cache: 'run',
    execute: ({ id }) => `${id} found`,
  })
  const { client } = await startHarness({
    agents: [testAgent({ tools: [flaky, cachedLookup, lookup] })],
    script: [
      status(503, { body: { error: { message: 'overloaded' } } }),
      callTool('flaky', {}),
      callTool('cached_lookup', { id: 'A1' }),
      callTool('cached_lookup', { id: 'A1' }),
      callTool('lookup', { identity: 'A1' }),
      say('done'),
    ],
  })
  const run = await client.start('test-agent', { input: 'Go' })
  await run.result()
  const { steps } = await run.transcript()
  expect(steps).toMatchObject([
    {
      attempts: 2,
      retryCause: expect.stringContaining('503'),
      calls: [{ status: 'ok', attempts: 2, retryCause: 'The shop is busy.' }],
    },
    { attempts: 1, retryCause: null, calls: [{ status: 'ok', retryCause: null }] },
    { calls: [{ status: 'cached', observation: 'A1 found' }] },
    { calls: [{ status: 'refused' }] },
    { finish: 'stop', calls: [] },
  ])
})

test('an open run says what it waits for: a worker, then the next attempt and why', async () => {
  const { client, startWorker } = await startHarness({
    agents: [testAgent()],
    respond: () => status(503, { headers: { 'retry-after': '60' } }),
    withWorker: false,
  })
  const run = await client.start('test-agent', { input: 'Go' })
  expect((await run.status()).pending).toEqual([])
  await startWorker()
  await expect
    .poll(async () => (await run.status()).pending, { timeout: 60_000 })
    .toEqual([
      {
        type: 'callModel',
        state: 'waiting_to_retry',
        attempt: 2,
        lastFailure: expect.stringContaining('503'),
        nextAttemptAt: expect.any(Date),
      },
    ])
  await run.cancel()
  await expect(run.result()).rejects.toThrow('cancelled')
  expect((await run.status()).pending).toEqual([])
})

test('a run whose workflow code fails says why, until a worker has code that works', async () => {
  const { client, startWorker } = await startHarness({
    agents: [testAgent()],
    script: [say('done')],
    withWorker: false,
  })
  const broken = {
    encode: async (payloads: Payload[]) => payloads,
    decode: () => Promise.reject(new Error('no key to decrypt with')),
  }
  const first = await startWorker({ worker: { dataConverter: { payloadCodecs: [broken] } } })
  const run = await client.start('test-agent', { input: 'Go' })
  await expect
    .poll(async () => (await run.transcript()).stuck, { timeout: 60_000 })
    .toContain('no key to decrypt with')
  await first.stop()
  await startWorker()
  await run.result()
  expect((await run.transcript()).stuck).toBeNull()
})

test('the transcript of a chain over continue-as-new is of all its executions, and is followed to the end', async () => {
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 40 }
  const server = await startOwnServer({ dynamicConfig })
  const { client } = await startHarness({
    agents: [testAgent({ limits: { maxSteps: 50 } })],
    worker: { prices },
    respond: (_: ChatRequest, { index }) =>
      index < 12 ? callTool('lookup', { id: `A${index}` }) : say('all found'),
    address: server.address,
  })
  const run = await client.start('test-agent', { input: 'Look it all up.' })
  const seen = new Set<number>()
  const transcript = await run.transcript({
    follow: true,
    onChange: (change) => change.kind === 'step' && seen.add(change.step.step),
  })
  const result = await run.result()
  expect(transcript.question).toBe('Look it all up.')
  expect(transcript.steps).toHaveLength(13)
  expect(seen.size).toBe(13)
  expect(transcript.usage).toEqual(result.usage)
  expect(transcript.costUsd).toBeCloseTo(result.costUsd ?? -1, 9)
  expect(await client.get(run.id).transcript()).toEqual(transcript)
  const { workflowExecutionInfo } = await client.client.workflowService.describeWorkflowExecution({
    namespace: 'default',
    execution: { workflowId: run.id },
  })
  expect(workflowExecutionInfo?.firstRunId).not.toBe(workflowExecutionInfo?.execution?.runId)
})
