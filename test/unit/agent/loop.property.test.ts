import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestOf } from '../../../src/agent/digest.js'
import { runTurn } from '../../../src/agent/loop.js'
import type { ToolOutcome } from '../../../src/contract/activities.js'
import type { ToolCall } from '../../../src/contract/messages.js'
import type { ModelReply } from '../../../src/contract/reply.js'
import type { RunState } from '../../../src/contract/run.js'
import { expectPaired } from './books.js'
import { stateOf, toolOf } from './manifests.js'
import { scriptedEffects } from './scripted-effects.js'

const args = fc.dictionary(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 1 }), {
  noNullPrototype: true,
})

const toolCall: fc.Arbitrary<ToolCall> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: fc.constantFrom('search', 'write', 'poll'), args }) },
  fc.record({
    name: fc.constantFrom('search', 'gone'),
    args,
    problem: fc.constant('no such tool'),
  }),
)

const reply: fc.Arbitrary<ModelReply> = fc.record({
  text: fc.constantFrom('', ' \n', '', 'Some text.'),
  calls: fc.oneof(
    { weight: 6, arbitrary: fc.array(toolCall, { minLength: 1, maxLength: 5 }) },
    fc.constant([]),
  ),
  finish: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('stop' as const, 'length' as const) },
    fc.constantFrom('refusal' as const, 'content_filter' as const),
  ),
  tokens: fc.option(fc.record({ promptTokens: fc.nat(99), completionTokens: fc.nat(99) })),
})

const outcome: fc.Arbitrary<ToolOutcome> = fc.oneof(
  fc.constantFrom({ text: '' }, { text: 'one' }, { text: 'two' }),
  fc.constant({ text: 'broken', error: true as const }),
)

const world = fc.record({
  maxSteps: fc.integer({ min: 1, max: 12 }),
  onLimit: fc.constantFrom('answer' as const, 'fail' as const),
  parallel: fc.boolean(),
  replies: fc.array(reply, { minLength: 13, maxLength: 13 }),
  outcomes: fc.array(outcome, { minLength: 1, maxLength: 7 }),
})

function expectSameReference(state: RunState, input: { count: number; digest: string }): void {
  const { manifest, messages } = state
  expect(input).toMatchObject({ count: messages.length, digest: digestOf(manifest, messages) })
}

const REASONS = [
  ...['answered', 'max_steps', 'repeats', 'tool_errors'],
  ...['refusal', 'content_filter', 'empty_reply'],
]

test('whatever model and tools do, a turn ends within maxSteps + 1 model calls, its books in order', () => {
  return fc.assert(
    fc.asyncProperty(world, async ({ replies, outcomes, ...changes }) => {
      const tools = [
        toolOf('search'),
        toolOf('write', { parallel: false }),
        toolOf('poll', { polling: true }),
      ]
      const state = stateOf({ ...changes, tools })
      let ran = 0
      const effects = scriptedEffects({
        replies: (input) => {
          expectSameReference(state, input)
          return replies[input.step - 1] as ModelReply
        },
        runTool: () => outcomes[ran++ % outcomes.length] as ToolOutcome,
      })
      const end = await runTurn(state, effects)

      const { modelCalls, toolCalls } = effects
      const forced = modelCalls.filter((input) => input.forced).length
      expect(modelCalls.length - forced).toBe(state.steps)
      expect(state.steps).toBeLessThanOrEqual(changes.maxSteps)
      expect(forced).toBeLessThanOrEqual(changes.onLimit === 'fail' ? 0 : 1)
      expect(modelCalls.map(({ step }) => step)).toEqual(modelCalls.map((_, i) => i + 1))
      expectPaired(state.messages)
      expect(state.digest).toBe(digestOf(state.manifest, state.messages))
      expect(toolCalls.filter(({ tool }) => tool.name === 'gone')).toEqual([])

      if (end.kind === 'continue') throw new Error('nobody asked to continue')
      const result = end.kind === 'done' ? end.result : end.partial
      expect(REASONS).toContain(result.stopReason)
      expect(result.steps).toBe(state.steps)
      expect(result.usage).toMatchObject({ modelCalls: modelCalls.length })
      const used = replies.slice(0, modelCalls.length).map(({ tokens }) => tokens)
      const total = used.reduce((n, t) => n + (t ? t.promptTokens + t.completionTokens : 0), 0)
      expect(result.usage.totalTokens).toBe(total)
      expect(result.usage.uncountedCalls).toBe(used.filter((tokens) => tokens === null).length)
      if (result.stopReason === 'answered') expect(result.answer.trim()).not.toBe('')
    }),
    { numRuns: 300 },
  )
})
