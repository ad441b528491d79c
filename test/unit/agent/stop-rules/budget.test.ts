import { describe, expect, test } from 'vitest'
import { countEstimate } from '../../../../src/agent/budgets.js'
import { runTurn } from '../../../../src/agent/loop.js'
import { cost, deadline, tokens } from '../../../../src/agent/stop-rules/budget.js'
import type { ModelReply } from '../../../../src/contract/reply.js'
import type { RunState } from '../../../../src/contract/run.js'
import { stateHolding } from '../books.js'
import { type ManifestChanges, stateOf } from '../manifests.js'
import { asks, call, says, scriptedEffects } from '../scripted-effects.js'

const NOW = () => 10_000
const PRICE = { promptPerMillion: 100, completionPerMillion: 1_000 }

/** A state whose next prompt has 1,000 tokens, and whose longest reply had 200. */
function state(changes: ManifestChanges, more: Partial<RunState> = {}): RunState {
  const one = stateHolding([{ role: 'user', text: 'Hi.' }], changes, [1_000])
  return { ...one, longestReply: 200, ...more }
}

function used(promptTokens: number, completionTokens: number) {
  const totalTokens = promptTokens + completionTokens
  const usage = { promptTokens, completionTokens, totalTokens, modelCalls: 1, uncountedCalls: 0 }
  return { usage, usageByModel: { 'test-model': usage } }
}

describe('no budget', () => {
  test('never fires', () => {
    const one = state({}, { ...used(1e12, 1e12), startedAt: -1e12 })
    expect([tokens, cost, deadline].map((rule) => rule(one, NOW))).toEqual([null, null, null])
  })

  test('of time never looks at the clock', () => {
    const looks: string[] = []
    const now = () => looks.push('look')
    for (const rule of [tokens, cost, deadline]) rule(state({ limits: { maxTokens: 9 } }), now)
    expect(looks).toEqual([])
  })
})

describe('a budget of tokens', () => {
  const rule = (maxTokens: number, more: Partial<RunState> = {}) =>
    tokens(state({ limits: { maxTokens } }, { ...used(3_000, 600), ...more }), NOW)

  test('fires before the call that would leave none for a last one', () => {
    expect(rule(6_000)).toBeNull()
    expect(rule(5_999)).toEqual({
      reason: 'token_budget',
      message: '3600 of 5999 tokens are used.',
    })
  })

  test('measures the prompt as the provider counts', () => {
    expect(rule(6_000, { tokenFactor: 1.1 })).not.toBeNull()
    expect(rule(6_200, { tokenFactor: 1.1 })).toBeNull()
  })

  test('counts instructions and tools in', () => {
    const changes = { limits: { maxTokens: 6_999 }, tokens: { definition: 500, input: 1 } }
    expect(tokens(state(changes, used(3_000, 600)), NOW)).not.toBeNull()
  })

  test.each([
    [{}, 300],
    [{ maxTokens: 50 }, 50],
    [{ maxTokens: 5_000 }, 300],
  ])('guesses the first reply with %j: %i tokens', (modelSettings, guess) => {
    const first = (maxTokens: number) => {
      const { longestReply: _, ...fresh } = state({ modelSettings, limits: { maxTokens } })
      return tokens(fresh, NOW)
    }
    expect(first(2 * (1_000 + guess))).toBeNull()
    expect(first(2 * (1_000 + guess) - 1)).not.toBeNull()
  })
})

describe('a budget of money', () => {
  // The next call: 1,000 × 100 $ and 200 × 1,000 $ a million: 0.3 $.
  const rule = (maxCostUsd: number, changes: ManifestChanges = {}) =>
    cost(
      state(
        { limits: { maxCostUsd }, prices: { 'test-model': PRICE }, ...changes },
        used(1_000, 100),
      ),
      NOW,
    )

  test('fires before the call that would leave none for a last one', () => {
    expect(rule(0.81)).toBeNull()
    expect(rule(0.79)).toMatchObject({ reason: 'cost_budget' })
  })

  test('goes by the price of the model that answers now', () => {
    const prices = { 'test-model': PRICE, b: { promptPerMillion: 1, completionPerMillion: 1 } }
    const one = { ...state({ limits: { maxCostUsd: 0.01 }, prices, fallbackModels: ['b'] }) }
    expect(cost(one, NOW)).not.toBeNull()
    expect(cost({ ...one, fallback: 1 }, NOW)).toBeNull()
  })

  test('counts the summaries that were not counted, at the price of their model', () => {
    const prices = {
      'test-model': PRICE,
      dear: { promptPerMillion: 1_000, completionPerMillion: 0 },
    }
    const one = state({ limits: { maxCostUsd: 2 }, prices })
    expect(cost(one, NOW)).toBeNull()
    countEstimate(one, 'dear', { promptTokens: 700, completionTokens: 9 })
    countEstimate(one, 'dear', { promptTokens: 800, completionTokens: 9 })
    expect(one.uncounted).toEqual({ dear: { promptTokens: 1_500, completionTokens: 18 } })
    expect(cost(one, NOW)).toMatchObject({ reason: 'cost_budget' })
  })

  test('takes what has no price for free: the worker refuses that at its start', () => {
    expect(rule(0.01, { prices: {} })).toBeNull()
  })
})

describe('a deadline', () => {
  const rule = (startedAt: number, longestCallMs?: number) =>
    deadline(
      state(
        { limits: { deadlineMs: 5_000 } },
        { startedAt, ...(longestCallMs === undefined ? {} : { longestCallMs }) },
      ),
      NOW,
    )

  test('fires before the call that would leave no time for a last one', () => {
    expect(rule(7_000, 1_000)).toBeNull()
    expect(rule(6_999, 1_000)).toMatchObject({ reason: 'deadline' })
  })

  test('counts from the first step, and needs some time left when nothing was called yet', () => {
    expect(rule(5_002)).toBeNull()
    expect(rule(5_001)).toMatchObject({ reason: 'deadline' })
    expect(deadline(state({ limits: { deadlineMs: 5_000 } }), NOW)).toBeNull()
  })
})

describe('a turn with a budget', () => {
  /** Each reply says that it took so many tokens. */
  const taking = (reply: ModelReply, promptTokens: number): ModelReply => ({
    ...reply,
    tokens: { promptTokens, completionTokens: 10 },
  })

  async function run(changes: ManifestChanges, promptTokens = 1_000) {
    const one = stateOf({ tokens: { definition: 980, input: 20 }, ...changes })
    const scripted = scriptedEffects({
      replies: ({ step, forced }) =>
        taking(forced ? says('So far.') : asks(call('search', { step })), promptTokens),
    })
    let time = 0
    const effects: typeof scripted = {
      ...scripted,
      now: () => time,
      callModel: async (input) => {
        time += 5_000
        return await scripted.callModel(input)
      },
    }
    return { one, effects, end: await runTurn(one, effects) }
  }

  test('ends with a forced answer while one is affordable', async () => {
    const { effects, end } = await run({ limits: { maxTokens: 3_500 } })
    expect(effects.modelCalls.map(({ forced }) => forced ?? false)).toEqual([false, false, true])
    expect(end).toMatchObject({
      result: { stopReason: 'token_budget', answer: 'So far.', steps: 2 },
    })
  })

  test('ends without one where not even that is affordable', async () => {
    const { effects, end } = await run({ limits: { maxTokens: 2_600 } }, 2_000)
    expect(effects.modelCalls).toHaveLength(1)
    expect(end).toMatchObject({ kind: 'done', result: { stopReason: 'token_budget', answer: '' } })
  })

  test('never asks at all where the budget is too small for one call', async () => {
    const { effects, end } = await run({ limits: { maxTokens: 1 } })
    expect(effects.modelCalls).toEqual([])
    expect(end).toMatchObject({ result: { stopReason: 'token_budget', steps: 0 } })
  })

  test('counts by estimate what its server does not count', async () => {
    const changes = { tokens: { definition: 980, input: 20 }, prices: { 'test-model': PRICE } }
    for (const limits of [{ maxTokens: 5_000 }, { maxCostUsd: 0.5 }]) {
      const one = stateOf({ ...changes, limits })
      const effects = scriptedEffects({
        replies: ({ step, forced }) => ({
          ...(forced ? says('So far.') : asks(call('search', { step }))),
          ...{ tokens: null, size: 10 },
        }),
      })
      const end = await runTurn(one, effects)
      expect(end).toMatchObject({ result: { answer: 'So far.', usage: { totalTokens: 0 } } })
      expect(effects.modelCalls.length).toBeLessThanOrEqual(5)
      const { promptTokens = 0, completionTokens = 0 } = one.uncounted?.['test-model'] ?? {}
      expect(promptTokens).toBeGreaterThan(1_000 * effects.modelCalls.length)
      expect(completionTokens).toBe(10 * effects.modelCalls.length)
      expect(promptTokens + completionTokens).toBeLessThanOrEqual(5_000)
    }
    const without = stateOf(changes)
    await runTurn(without, scriptedEffects({ replies: [{ ...says('Hi.'), tokens: null }] }))
    expect(without).not.toHaveProperty('uncounted')
  })

  test('fails with the partial work where the agent says so', async () => {
    const { end } = await run({ limits: { maxTokens: 3_500 }, onLimit: 'fail' })
    expect(end).toMatchObject({
      kind: 'limit',
      verdict: { reason: 'token_budget' },
      partial: { steps: 2 },
    })
  })

  test('tells what it cost', async () => {
    const { end } = await run({ limits: { maxCostUsd: 0.5 }, prices: { 'test-model': PRICE } })
    expect(end).toMatchObject({ result: { stopReason: 'cost_budget' } })
    const { costUsd = 0, usage } = end.kind === 'done' ? end.result : { usage: { modelCalls: 0 } }
    expect(costUsd).toBeCloseTo(usage.modelCalls * 0.11, 6)
    expect(costUsd).toBeLessThanOrEqual(0.5)
  })

  test('of time ends at its deadline, the last answer included', async () => {
    const { one, effects, end } = await run({ maxSteps: 100, limits: { deadlineMs: 30_000 } })
    expect(effects.modelCalls.map(({ forced }) => forced ?? false)).toEqual([
      ...[false, false, false, false, false, true],
    ])
    expect(end).toMatchObject({ result: { stopReason: 'deadline', answer: 'So far.' } })
    expect(one).toMatchObject({ startedAt: 0, longestCallMs: 5_000 })
    expect(effects.now()).toBe(30_000)
  })

  test('chooses no strategy that it cannot pay', async () => {
    const strategies = [{ name: 'a', when: 'b', instructions: 'c' }]
    const { one, effects } = await run({ strategies, limits: { maxTokens: 3_000 } })
    expect(effects.choices).toEqual([])
    expect(one.strategy).toBeNull()
    expect(one.rows[0]?.what).toBe('strategy: none (no budget for the choice)')
    expect((await run({ strategies, limits: { maxTokens: 4_000 } })).effects.choices).toHaveLength(
      1,
    )
  })
})
