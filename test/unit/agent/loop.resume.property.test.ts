import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runTurn, type TurnEnd } from '../../../src/agent/loop.js'
import type { ToolOutcome } from '../../../src/contract/activities.js'
import type { Limits, MemoryPolicy } from '../../../src/contract/manifest.js'
import { callId, type ToolCall } from '../../../src/contract/messages.js'
import type { ModelReply } from '../../../src/contract/reply.js'
import type { RunState } from '../../../src/contract/run.js'
import { stateOf, toolOf } from './manifests.js'

const tools = [
  toolOf('search', { cache: 'run' }),
  toolOf('list', { cache: 1_500, volatileFields: ['b'] }),
  toolOf('poll', { polling: true, maxCalls: 3 }),
  toolOf('write', { parallel: false, invalidates: ['search', 'list'] }),
]

const args = fc.dictionary(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 1 }), {
  noNullPrototype: true,
})
const call: fc.Arbitrary<ToolCall> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ name: fc.constantFrom('search', 'list', 'poll', 'write'), args }),
  },
  fc.record({
    name: fc.constant('read_more'),
    args: fc.record({ id: fc.constantFrom(callId(1, 1, 1), 'gone'), page: fc.nat(2) }),
  }),
  fc.constant({ name: 'search', args: {}, problem: 'no such order' }),
)
const tokens = fc.option(fc.record({ promptTokens: fc.nat(400), completionTokens: fc.nat(50) }))
const reply: fc.Arbitrary<ModelReply> = fc.record({
  text: fc.constantFrom('', '', 'Some text.'),
  calls: fc.oneof(
    { weight: 8, arbitrary: fc.array(call, { minLength: 1, maxLength: 4 }) },
    fc.constant([]),
  ),
  finish: fc.oneof(
    { weight: 12, arbitrary: fc.constant('stop' as const) },
    fc.constantFrom('length' as const, 'context_length' as const, 'refusal' as const),
  ),
  tokens,
  size: fc.nat(100),
})
const outcome: fc.Arbitrary<ToolOutcome> = fc.oneof(
  fc.constantFrom({ text: 'one', size: 5 }, { text: 'two' }, { text: 'x'.repeat(900), size: 300 }),
  fc.constant({ text: 'broken', error: true as const }),
  fc.constantFrom(
    { text: 'cut', cut: 4_000, rest: 'y'.repeat(4_000) },
    { text: 'cut', cut: 9_000, artifact: 'key' },
  ),
)
const memory: fc.Arbitrary<MemoryPolicy> = fc.record(
  {
    summary: fc.record({
      keepMessages: fc.integer({ min: 1, max: 4 }),
      aboveTokens: fc.integer({ min: 1, max: 400 }),
      maxWords: fc.constant(20),
    }),
    maxTokens: fc.integer({ min: 100, max: 900 }),
  },
  { requiredKeys: [] },
)
const limits: fc.Arbitrary<Limits> = fc.record(
  {
    maxSteps: fc.integer({ min: 3, max: 14 }),
    maxTokens: fc.integer({ min: 2_000, max: 20_000 }),
    maxCostUsd: fc.double({ min: 0.001, max: 0.02, noNaN: true }),
    deadlineMs: fc.integer({ min: 3_000, max: 30_000 }),
  },
  { requiredKeys: ['maxSteps'] },
)
const world = fc.record({
  replies: fc.array(reply, { minLength: 5, maxLength: 15 }),
  outcomes: fc.array(outcome, { minLength: 1, maxLength: 7 }),
  summaries: fc.array(fc.constantFrom('So far: much.', '', null), { minLength: 1, maxLength: 3 }),
  memory: fc.option(memory, { nil: undefined }),
  limits,
})

type World = typeof world extends fc.Arbitrary<infer T> ? T : never

function begin({ memory: policy, limits: some }: World): RunState {
  const price = { promptPerMillion: 1, completionPerMillion: 4 }
  return stateOf({
    ...(policy === undefined ? {} : { memory: policy }),
    tools,
    readMore: true,
    prices: { 'test-model': price },
    strategies: [{ name: 'calm', when: 'Always.', instructions: 'Be calm.' }],
    limits: some,
  })
}

/** Plays a turn to its end, carrying it through JSON at the boundaries that are named. */
async function play(given: World, isBoundary: (n: number) => boolean) {
  const { replies, outcomes, summaries } = given
  const log: unknown[] = []
  let [time, asked, boundaries] = [0, 0, 0]
  // Time passes with the work alone: to look at the clock once more must change nothing.
  const takes = <T>(ms: number, what: unknown, value: T): Promise<T> => {
    time += ms
    log.push(structuredClone(what))
    return Promise.resolve(value)
  }
  let state = begin(given)
  let end: TurnEnd = { kind: 'continue' }
  let stretches = 0
  for (; end.kind === 'continue'; stretches++) {
    let isFirst = stretches > 0
    state = JSON.parse(JSON.stringify(state)) as RunState
    end = await runTurn(state, {
      callModel: (input) =>
        takes(700, input, replies[(input.step - 1) % replies.length] as ModelReply),
      chooseStrategy: (input) =>
        takes(90, input, { strategy: 'calm', tokens: { promptTokens: 9, completionTokens: 1 } }),
      summarize: (input) => {
        const text = summaries[asked++ % summaries.length]
        return takes(400, input, typeof text === 'string' ? { text, tokens: null } : null)
      },
      readArtifact: (input) => takes(30, input, { text: `page ${input.page}` }),
      runTool: (_tool, input) =>
        takes(250, input, outcomes[(input.step + input.call) % outcomes.length] as ToolOutcome),
      now: () => time,
      untilDecided: async () => null,
      shouldContinue: () => {
        // The boundary at which the run goes on is the one at which it stopped.
        const stops = !isFirst && isBoundary(boundaries++)
        isFirst = false
        return stops
      },
      report: () => {},
    })
  }
  return { end, state, log, stretches, time }
}

test('a turn that is carried over at every boundary goes as if nothing had been: memory, caches, budgets', () => {
  let carried = 0
  return fc
    .assert(
      fc.asyncProperty(world, async (given) => {
        const straight = await play(given, () => false)
        const broken = await play(given, () => true)
        const half = await play(given, (n) => n % 2 === 1)
        for (const other of [broken, half]) {
          expect(other.log).toEqual(straight.log)
          expect(other.end).toEqual(straight.end)
          expect(other.state).toEqual(JSON.parse(JSON.stringify(straight.state)))
          expect(other.time).toBe(straight.time)
        }
        expect(straight.stretches).toBe(1)
        carried += broken.stretches
      }),
      { numRuns: 500 },
    )
    .then(() => {
      expect(carried).toBeGreaterThan(1_000)
    })
})
