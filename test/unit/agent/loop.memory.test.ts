import { describe, expect, test } from 'vitest'
import { runTurn } from '../../../src/agent/loop.js'
import { summaryText } from '../../../src/agent/memory/window.js'
import type { MemoryPolicy } from '../../../src/contract/manifest.js'
import type { ModelReply } from '../../../src/contract/reply.js'
import { expectInOrder } from './books.js'
import { type ManifestChanges, stateOf } from './manifests.js'
import { asks, busy, call, type Script, says, scriptedEffects } from './scripted-effects.js'

const WINDOW: MemoryPolicy = { summary: { keepMessages: 2, aboveTokens: 20, maxWords: 50 } }
const TOO_LONG: ModelReply = { ...says('', 'context_length'), tokens: null }

async function run(changes: ManifestChanges, script: Script) {
  const state = stateOf(changes)
  const effects = scriptedEffects(script)
  const end = await runTurn(state, effects)
  if (end.kind !== 'done') throw new Error(`ended by ${end.kind}`)
  expectInOrder(state)
  return { state, effects, result: end.result }
}

/** Replies whose server does not say what they took: then the sizes count as they are. */
const steps = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ ...asks(call('search', { q: i })), tokens: null }))
const DONE: ModelReply = { ...says('Done.'), tokens: null }

describe('a summary in a turn', () => {
  test('is asked for by reference before a model call, and shortens the next prompt', async () => {
    const { state, effects } = await run({ memory: WINDOW }, { replies: [...steps(3), DONE] })
    expect(effects.summaries).toMatchObject([
      { turn: 1, step: 3, count: 5, to: 3, goal: 0, maxWords: 50 },
      { turn: 1, step: 4, count: 6, to: 4, goal: 1 },
    ])
    expect(effects.modelCalls.map(({ count }) => count)).toEqual([1, 3, 4, 4])
    expect(state.messages[0]?.text).toBe(summaryText('What was said.'))
    expect(state.messages[1]?.text).toBe('Where is my order?')
  })

  test('is counted for the model that wrote it, shown as a row, and is no step', async () => {
    const summary = { keepMessages: 2, aboveTokens: 20, maxWords: 50, model: 'cheap' }
    const { state, effects, result } = await run(
      { memory: { summary } },
      { replies: [...steps(2), DONE] },
    )
    expect(effects.summaries[0]).toMatchObject({ model: 'cheap' })
    expect(result).toMatchObject({ steps: 3, models: { 'test-model': 3, cheap: 1 } })
    expect(result.usage.modelCalls).toBe(4)
    expect(result.usageByModel['cheap']).toMatchObject({ totalTokens: 12, modelCalls: 1 })
    expect(state.rows[2]).toMatchObject({
      step: 2,
      what: 'memory: 2 messages summarised',
      tokens: 12,
    })
  })

  test('is asked of the model that answers now, and names it only where it is not the first', async () => {
    const { effects } = await run({ memory: WINDOW }, { replies: [...steps(2), DONE] })
    expect(effects.summaries[0]).not.toHaveProperty('model')
    const state = { ...stateOf({ memory: WINDOW, fallbackModels: ['b'] }), fallback: 1 }
    const fallen = scriptedEffects({ replies: [...steps(2), DONE] })
    await runTurn(state, fallen)
    expect(fallen.summaries[0]).toMatchObject({ model: 'b' })
  })

  test.each([
    ['fails', () => null, 0],
    ['is empty', () => ({ text: ' ', tokens: { promptTokens: 5, completionTokens: 0 } }), 5],
  ])('that %s drops the messages, and the turn goes on', async (_, summarize, tokens) => {
    const { state, result } = await run(
      { memory: WINDOW },
      { replies: [...steps(2), DONE], summarize },
    )
    expect(result).toMatchObject({ answer: 'Done.', stopReason: 'answered' })
    expect(state.messages[0]?.text).toContain('were left out')
    expect(state.rows[2]).toMatchObject({ what: 'memory: no summary: 2 dropped', tokens })
  })

  test('is made in parts where one could not take it all', async () => {
    const replies = [...steps(3), DONE]
    const sizes = [0, 7_000, 9_500, 10]
    const runTool: Script['runTool'] = (_, { step }) => ({ text: 'x', size: sizes[step] ?? 0 })
    const { effects } = await run(
      { memory: { summary: { keepMessages: 1, aboveTokens: 9_000, maxWords: 50 } } },
      { replies, runTool },
    )
    expect(effects.summaries.map(({ to }) => to)).toEqual([3, 4])
  })

  test('that is too dear is not asked for: the messages are dropped', async () => {
    const price = { promptPerMillion: 1, completionPerMillion: 1 }
    const dear = { promptPerMillion: 1_000, completionPerMillion: 1_000 }
    const outcome = async (maxCostUsd: number) => {
      const summary = { keepMessages: 2, aboveTokens: 20, maxWords: 50, model: 'dear' }
      const changes = { prices: { 'test-model': price, dear }, limits: { maxCostUsd } }
      const script = {
        replies: [...steps(2), DONE],
        runTool: () => ({ text: 'much', size: 2_000 }),
      }
      return await run({ memory: { summary }, ...changes }, script)
    }
    expect((await outcome(3)).effects.summaries).toHaveLength(1)
    const { state, effects, result } = await outcome(2)
    expect(effects.summaries).toEqual([])
    expect(result.stopReason).toBe('answered')
    expect(state.rows.map(({ what }) => what)).toContain('memory: no summary: 2 dropped')
  })

  test('that used up the budget ends the turn before the next call with tools', async () => {
    const { effects, result } = await run(
      { memory: WINDOW, limits: { maxTokens: 3_300 } },
      {
        replies: ({ forced, step }) => (forced ? says('So far.') : (steps(9)[step] as ModelReply)),
        summarize: () => ({ text: 'S', tokens: { promptTokens: 100, completionTokens: 2_600 } }),
      },
    )
    expect(effects.modelCalls.map(({ forced }) => forced ?? false)).toEqual([false, false, true])
    expect(result).toMatchObject({ stopReason: 'token_budget', answer: 'So far.' })
  })
})

test('a token budget drops the oldest before a call, and says how many', async () => {
  const { state, effects } = await run(
    { memory: { maxTokens: 100 } },
    { replies: [...steps(2), DONE], runTool: () => ({ text: 'x', size: 60 }) },
  )
  expect(effects.modelCalls.map(({ count }) => count)).toEqual([1, 3, 3])
  expect(state.rows.map(({ what }) => what)).toContain('memory: the 2 oldest messages dropped')
})

test('without a policy everything goes with every call', async () => {
  const { effects } = await run({}, { replies: [...steps(4), DONE] })
  expect(effects.modelCalls.map(({ count }) => count)).toEqual([1, 3, 5, 7, 9])
  expect(effects.summaries).toEqual([])
})

describe('a prompt that the provider finds too long', () => {
  const memory = { maxTokens: 100_000 }

  test('is shortened and asked with once more, as the same step', async () => {
    const { state, effects, result } = await run(
      { memory },
      { replies: [...steps(3), TOO_LONG, DONE] },
    )
    expect(effects.modelCalls.map(({ count }) => count)).toEqual([1, 3, 5, 7, 3])
    expect(effects.modelCalls.every((input) => !input.forced)).toBe(true)
    expect(result).toMatchObject({ stopReason: 'answered', answer: 'Done.', steps: 4 })
    expect(state.rows.map(({ what }) => what)).toContain(
      'memory: too long for the model: the 4 oldest dropped',
    )
  })

  test('twice ends the turn with that reason: there is no third request', async () => {
    const { effects, result } = await run(
      { memory },
      { replies: [...steps(3), TOO_LONG, TOO_LONG] },
    )
    expect(effects.modelCalls).toHaveLength(5)
    expect(result.stopReason).toBe('context_length')
  })

  test('is asked with without tools where nothing else can be left out; the reason stays', async () => {
    const { effects, result } = await run(
      { memory },
      { replies: [TOO_LONG, says('I see little.')] },
    )
    expect(effects.modelCalls.map(({ forced }) => forced)).toEqual([undefined, true])
    expect(result).toMatchObject({ stopReason: 'context_length', answer: 'I see little.' })
  })

  test('is over where there are no tools to leave out either, and where all is kept', async () => {
    for (const changes of [{ memory, tools: [] }, {}]) {
      const { effects, result } = await run(changes, { replies: [TOO_LONG] })
      expect(effects.modelCalls).toHaveLength(1)
      expect(result.stopReason).toBe('context_length')
    }
  })

  test('keeps the reason of a last word that was refused', async () => {
    const { result } = await run({ memory }, { replies: [TOO_LONG, says('No.', 'refusal')] })
    expect(result).toMatchObject({ stopReason: 'refusal', answer: 'No.' })
  })

  test('is asked with once more for the forced answer too', async () => {
    let forced = 0
    const { effects, result } = await run(
      { memory, maxSteps: 2 },
      {
        replies: (input) => {
          if (!input.forced) return busy(input)
          return forced++ === 0 ? TOO_LONG : says('So far.')
        },
      },
    )
    expect(effects.modelCalls.map((input) => input.forced ?? false)).toEqual([
      ...[false, false, true, true],
    ])
    expect(result).toMatchObject({ stopReason: 'max_steps', answer: 'So far.' })
  })
})
