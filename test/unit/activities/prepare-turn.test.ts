import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createPrepareTurn } from '../../../src/activities/prepare-turn.js'
import type { Prices } from '../../../src/activities/prices.js'
import { PromptCache } from '../../../src/activities/prompt-cache.js'
import { userMessage } from '../../../src/agent/conversation.js'
import { digestOf } from '../../../src/agent/digest.js'
import type { PrepareTurnInput } from '../../../src/contract/activities.js'
import { LOOP_VERSION } from '../../../src/contract/loop-version.js'
import type { Agent } from '../../../src/definition/define-agent.js'
import { attempt, rejection } from './attempt.js'
import { agentWith, manifestOf, NO_TABLES, WORKER } from './sample.js'

const customer = z.object({ customerId: z.string(), plan: z.object({ level: z.int() }).optional() })

/** As estimated: instructions and the schema of `lookup`, then "hello" with what is around it. */
const TOKENS = { definition: 67, input: 6 }

const same = (name: string) => name

function prepare(
  agents: readonly Agent[],
  modelName = same,
  cache = new PromptCache(),
  prices?: Prices,
) {
  const map = new Map(agents.map((agent) => [agent.name, agent]))
  return createPrepareTurn({
    agents: map,
    cache,
    tokenizer: NO_TABLES,
    prices,
    worker: WORKER,
    modelName,
  })
}

function input(more: Partial<PrepareTurnInput> = {}): PrepareTurnInput {
  return { agent: 'support', turn: 1, input: 'hello', context: null, ...more }
}

describe('prepareTurn', () => {
  it('gives the definition as data, with what the worker knows', async () => {
    const agent = agentWith()
    const manifest = await attempt().run(prepare([agent]), input())
    expect(manifest).toEqual({ ...manifestOf(agent), loopVersion: LOOP_VERSION, tokens: TOKENS })
    expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest)
  })

  it('names the model as the worker does, and changes nothing else', async () => {
    const agent = agentWith()
    const rename = (name: string) => `${name}-here`
    const manifest = await attempt().run(prepare([agent], rename), input())
    expect(manifest).toEqual({
      ...manifestOf(agent),
      model: 'test-model-here',
      loopVersion: LOOP_VERSION,
      tokens: TOKENS,
    })
  })

  it('names every fallback model as the worker does, and none twice', async () => {
    const agent = agentWith({ model: ['a', 'b', 'c'] })
    const rename = (name: string) => (name === 'b' ? name : 'other')
    const manifest = await attempt().run(prepare([agent], rename), input())
    expect(manifest).toMatchObject({ model: 'other', fallbackModels: ['b'] })
  })

  it('names the model of summaries as the worker does', async () => {
    const agent = agentWith({ memory: { summary: { model: 'cheap', keepMessages: 3 } } })
    const manifest = await attempt().run(
      prepare([agent], (name) => `${name}-here`),
      input(),
    )
    expect(manifest.memory).toEqual({
      summary: { keepMessages: 3, aboveTokens: 3_000, maxWords: 100, model: 'cheap-here' },
      turns: 10,
    })
  })

  it('tells the prices of every model that the agent may ask, by the names of the worker', async () => {
    const agent = agentWith({ model: ['a', 'b'], memory: { summary: { model: 'c' } } })
    const price = { promptPerMillion: 1, completionPerMillion: 2 }
    const prices = { 'a-here': price, 'c-here': price, other: price }
    const rename = (name: string) => `${name}-here`
    const run = prepare([agent], rename, new PromptCache(), prices)
    const manifest = await attempt().run(run, input())
    expect(manifest.prices).toEqual({ 'a-here': price, 'c-here': price })
    const without = await attempt().run(prepare([agent], rename), input())
    expect(without).not.toHaveProperty('prices')
  })

  it('counts no tokens for the schemas of an agent without tools', async () => {
    const agent = agentWith({ tools: [], instructions: 'Help.' })
    const { tokens } = await attempt().run(prepare([agent]), input())
    expect(tokens).toEqual({ definition: 2, input: 6 })
  })

  it('remembers the conversation for the first model call', async () => {
    const cache = new PromptCache()
    const { env, run } = attempt({ namespace: 'ns' })
    const manifest = await run(prepare([agentWith()], same, cache), input({ turn: 2 }))
    const messages = [userMessage('hello')]
    const at = { turn: 2, step: 1, count: 1, digest: digestOf(manifest, messages) }
    const { workflowExecution } = env.context.info
    expect(cache.get(`ns/${workflowExecution?.runId}`, at)).toEqual({
      manifest,
      messages,
      context: null,
    })
  })
})

describe('an unknown agent', () => {
  it('is final, and the known ones are listed', async () => {
    const run = prepare([agentWith(), agentWith({ name: 'sales' })])
    expect(await rejection(attempt().run(run, input({ agent: 'suport' })))).toMatchObject({
      type: 'UnknownAgent',
      nonRetryable: true,
      message: expect.stringMatching(
        /^This worker has no agent "suport"\. Its agents: support, sales\. .*task queue/,
      ),
    })
  })

  it.each(['constructor', '__proto__', 'toString'])('is %s', async (agent) => {
    expect(await rejection(attempt().run(prepare([agentWith()]), input({ agent })))).toMatchObject({
      type: 'UnknownAgent',
    })
  })

  it('is named in a bounded message, and says "none" of a worker without agents', async () => {
    const failure = await rejection(
      attempt().run(prepare([]), input({ agent: 'x'.repeat(10_000) })),
    )
    const message = failure instanceof Error ? failure.message : ''
    expect(message).toMatch(/… *"\. Its agents: none\. /)
    expect(message.length).toBeLessThan(300)
  })
})

describe('the context', () => {
  const run = () => prepare([agentWith({ context: customer })])

  it('that fits is no part of the manifest', async () => {
    const manifest = await attempt().run(run(), input({ context: { customerId: 'c7' } }))
    expect(JSON.stringify(manifest)).not.toContain('c7')
  })

  it.each([
    [{}, 'context.customerId: '],
    [{ customerId: 'c1', plan: { level: 1.5 } }, 'context.plan.level: '],
    [null, 'context: '],
  ])('%j is final, and the path is named', async (context, path) => {
    expect(await rejection(attempt().run(run(), input({ context })))).toMatchObject({
      type: 'InvalidContext',
      nonRetryable: true,
      message: expect.stringMatching(
        new RegExp(`^The run's context does not fit agent "support": ${path}`),
      ),
    })
  })

  it('may be left out where the schema allows it', async () => {
    const agent = agentWith({ context: customer.optional() })
    expect(await attempt().run(prepare([agent]), input())).toMatchObject({ agent: 'support' })
  })

  it('of an agent without a schema is not checked', async () => {
    const context = { anything: [1] }
    expect(await attempt().run(prepare([agentWith()]), input({ context }))).toBeDefined()
  })
})

describe('instructions that are a function', () => {
  const level = z.object({ level: z.string().default('basic') })
  const agent = agentWith({
    context: level,
    instructions: (context: unknown) => `Plan: ${(context as { level: string }).level}. \ude00`,
  })

  it('get the context as its schema puts it out, and are recorded', async () => {
    const manifest = await attempt().run(prepare([agent]), input({ context: {} }))
    expect(manifest.instructions).toBe('Plan: basic. \ufffd')
  })

  it.each<[string, () => string, string]>([
    ['throw', () => ((null as unknown as string[])[0] as string).trim(), 'TypeError'],
    ['return no text', () => 7 as unknown as string, 'must return a text'],
    ['return an empty text', () => ' ', 'must return a text'],
    ['return too much', () => 'x'.repeat(500_001), '500000 at most'],
  ])('that %s end the run, which says why', async (_, instructions, message) => {
    const run = prepare([agentWith({ instructions })])
    expect(await rejection(attempt().run(run, input()))).toMatchObject({
      type: 'InvalidContext',
      nonRetryable: true,
      message: expect.stringContaining(message),
    })
  })
})
