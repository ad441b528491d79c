import { expect, test } from 'vitest'
import { z } from 'zod'
import { AgentLimitError } from '../../src/client.js'
import { defineTool } from '../../src/index.js'
import { type ChatRequest, callTool, delay, say } from '../../src/testing/index.js'
import { createWorker, DefinitionError, openAIModel } from '../../src/worker.js'
import { openStage } from '../cases/kit.js'
import { testAgent } from '../kit/agents.js'
import { attempts } from '../kit/attempts.js'
import { startHarness } from '../kit/harness.js'

const PRICE = { promptPerMillion: 10, completionPerMillion: 40 }

/** A model that calls as long as it is offered tools. */
const restless = (request: ChatRequest, { index }: { readonly index: number }) =>
  request.tools === undefined ? say('That is all I have.') : callTool('lookup', { id: `A${index}` })

test.each([1_000, 3_000, 10_000])(
  'maxTokens %i holds for all calls together, the forced answer included',
  async (maxTokens) => {
    const { client, model } = await startHarness({
      agents: [testAgent({ limits: { maxSteps: 100, maxTokens } })],
      respond: restless,
    })
    const run = await client.start('test-agent', { input: 'Go' })
    const result = await run.result()
    expect(result).toMatchObject({ stopReason: 'token_budget', answer: 'That is all I have.' })
    expect(result.usage.totalTokens).toBeLessThanOrEqual(maxTokens)
    // Not far too early either.
    expect(result.usage.totalTokens).toBeGreaterThan(0.6 * maxTokens)
    const asked = model.requests.map(({ body }) => body)
    expect(asked.map(({ tools }) => tools === undefined)).toEqual(
      asked.map((_, i) => i === asked.length - 1),
    )
    expect(asked.at(-1)?.messages.at(-1)?.content).toMatch(
      new RegExp(`^\\d+ of ${maxTokens} tokens are used\\. Answer now`),
    )
    expect((await run.steps()).at(-1)).toMatchObject({ forced: true, status: 'done' })
  },
)

test('summaries count, and a budget that they were made in holds', async () => {
  const read = defineTool({
    name: 'read',
    description: 'Use when a passage is to be read.',
    input: z.object({ n: z.int() }),
    annotations: { readOnlyHint: true },
    execute: ({ n }) => `passage ${n}: ${'Nothing much is said in it. '.repeat(60)}`,
  })
  const stage = await openStage({
    agents: [10_000, 20_000, 40_000, 80_000].map((maxTokens) =>
      testAgent({ name: `of-${maxTokens}`, tools: [read], limits: { maxSteps: 100, maxTokens } }),
    ),
  })
  const play = async (maxTokens: number) => {
    let asked = 0
    const { result, events } = await stage.play({
      agent: `of-${maxTokens}`,
      respond: ({ tools, messages }) => {
        if (tools !== undefined) return callTool('read', { n: asked++ })
        return say(`${messages[0]?.content}`.startsWith('You write') ? 'All dull.' : 'I see.')
      },
    })
    expect(result).toMatchObject({ stopReason: 'token_budget', answer: 'I see.' })
    expect(result?.usage.totalTokens).toBeLessThanOrEqual(maxTokens)
    expect(result?.usage.totalTokens).toBeGreaterThan(0.5 * maxTokens)
    return attempts(events, 'summarize')
  }
  const summaries = await Promise.all([10_000, 20_000, 40_000, 80_000].map(play))
  expect(Math.max(...summaries)).toBeGreaterThan(1)
})

test.each([
  ['a table', { 'test-model': PRICE }],
  ['a function', (model: string) => (model === 'test-model' ? PRICE : undefined)],
] as const)('maxCostUsd holds by %s of prices', async (_, prices) => {
  const maxCostUsd = 0.03
  const { client } = await startHarness({
    agents: [testAgent({ limits: { maxSteps: 100, maxCostUsd } })],
    worker: { prices },
    respond: restless,
  })
  const run = await client.start('test-agent', { input: 'Go' })
  const { costUsd = 0, stopReason, usage, answer } = await run.result()
  expect({ stopReason, answer }).toEqual({
    stopReason: 'cost_budget',
    answer: 'That is all I have.',
  })
  expect(costUsd).toBeLessThanOrEqual(maxCostUsd)
  expect(costUsd).toBeGreaterThan(0.6 * maxCostUsd)
  expect(costUsd).toBeCloseTo((usage.promptTokens * 10 + usage.completionTokens * 40) / 1e6, 10)
  expect((await run.status()).progress).toMatchObject({ costUsd })
})

test('a deadline ends the run with an answer that was asked for before it', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent({ limits: { maxSteps: 100, deadline: '4s' } })],
    respond: (request, info) => delay(500, restless(request, info)),
  })
  const run = await client.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({ stopReason: 'deadline' })
  const [first] = await run.steps()
  const begun = first?.startedAt.getTime() ?? 0
  expect(model.requests.length).toBeGreaterThan(1)
  for (const { at } of model.requests) expect(at - begun).toBeLessThan(4_000)
})

test("onLimit 'fail' fails the run with the work and the cost so far", async () => {
  const limits = { maxSteps: 100, maxTokens: 2_000 }
  const { client, model } = await startHarness({
    agents: [testAgent({ limits, onLimit: 'fail' })],
    worker: { prices: { 'test-model': PRICE } },
    respond: (_, { index }) => callTool('lookup', { id: `A${index}` }, { text: `Seen ${index}.` }),
  })
  const run = await client.start('test-agent', { input: 'Go' })
  const error = await run.result().catch((reason) => reason)
  expect(error).toBeInstanceOf(AgentLimitError)
  const calls = model.requests.length
  expect(error).toMatchObject({
    reason: 'token_budget',
    partial: {
      answer: `Seen ${calls - 1}.`,
      steps: calls,
      usage: { modelCalls: calls },
      usageByModel: { 'test-model': { modelCalls: calls } },
      costUsd: expect.any(Number),
    },
  })
  expect(error.partial.usage.totalTokens).toBeLessThan(2_000)
})

test.each([
  ['the model', {}],
  ['a fallback model', { model: ['priced', 'test-model'] }],
  ['the model of the summaries', { model: 'priced', memory: { summary: { model: 'test-model' } } }],
] as const)('a worker that cannot keep a budget is refused: no price of %s', async (_, options) => {
  const agents = [testAgent({ limits: { maxCostUsd: 1 }, ...options })]
  const model = openAIModel({ baseURL: 'http://127.0.0.1:9/v1' })
  for (const prices of [undefined, { priced: PRICE }, () => undefined]) {
    const made = createWorker({ agents, model, ...(prices === undefined ? {} : { prices }) })
    await expect(made).rejects.toThrow(DefinitionError)
    await expect(made).rejects.toThrow(/maxCostUsd needs the price of "(test-model|priced)"/)
  }
})
