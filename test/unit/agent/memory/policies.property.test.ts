import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shortenMemory, shortenRefused } from '../../../../src/agent/memory/index.js'
import { goalOf, isNote } from '../../../../src/agent/memory/places.js'
import { dropTraces } from '../../../../src/agent/memory/scratchpad.js'
import { dropOldest } from '../../../../src/agent/memory/token-budget.js'
import { inProvidersMeasure, sizesOf } from '../../../../src/agent/sizes.js'
import type { SummarizeInput } from '../../../../src/contract/activities.js'
import type { MemoryPolicy } from '../../../../src/contract/manifest.js'
import type { Message } from '../../../../src/contract/messages.js'
import type { RunState } from '../../../../src/contract/run.js'
import { conversation } from '../arbitraries.js'
import { expectInOrder, stateHolding } from '../books.js'

const memory: fc.Arbitrary<MemoryPolicy> = fc.record(
  {
    summary: fc.record({
      keepMessages: fc.integer({ min: 1, max: 8 }),
      aboveTokens: fc.integer({ min: 1, max: 1_000 }),
      maxWords: fc.constant(100),
    }),
    maxTokens: fc.integer({ min: 1, max: 2_000 }),
  },
  { requiredKeys: [] },
)
const summary = fc.oneof(
  fc.constantFrom(null, '', ' \n', 'Short.'),
  // A summariser that makes it longer must not keep the loop busy.
  fc.nat(3_000).map((words) => 'word '.repeat(words)),
)
const given = fc.record({
  messages: conversation,
  sizes: fc.array(fc.nat(12_000), { maxLength: 30 }),
  factor: fc.constantFrom(undefined, 0.5, 1, 1.7, 4),
  memory,
  summaries: fc.array(summary, { minLength: 1, maxLength: 4 }),
})

type Given = typeof given extends fc.Arbitrary<infer T> ? T : never

function begin({ messages, sizes, factor, memory: policy }: Given): RunState {
  const state = stateHolding(messages, { memory: policy }, sizes)
  return factor === undefined ? state : { ...state, tokenFactor: factor }
}

async function shorten(one: Given, calls = 2) {
  const state = begin(one)
  const asked: SummarizeInput[] = []
  const wasAsked = await shortenMemory(
    state,
    {
      summarize: async (input) => {
        // The worker reads exactly these messages.
        expect([input.count, input.digest]).toEqual([state.messages.length, state.digest])
        asked.push(input)
        const text = one.summaries[asked.length % one.summaries.length]
        return typeof text === 'string' ? { text, tokens: null } : null
      },
      now: () => 0,
    },
    calls,
  )
  return { state, asked, wasAsked }
}

/** The newest words of the user's own. */
function question(messages: readonly Message[]): Message | undefined {
  return messages[goalOf(messages)]
}

/** What is left where nothing more may go: the goal, and from the newest group on everything. */
function isMinimal(messages: readonly Message[]): boolean {
  const goal = goalOf(messages)
  const newest = messages.findLastIndex((message) => !isNote(message))
  let group = newest
  while (messages[group]?.role === 'tool') group--
  return messages.every((_, place) => place === goal || place >= group)
}

describe('any conversation under any policy', () => {
  test('is shortened in the end, keeps its goal and its pairs, and its books are in order', () => {
    return fc.assert(
      fc.asyncProperty(given, async (one) => {
        const { state, asked, wasAsked } = await shorten(one)
        expectInOrder(state)
        expect(question(state.messages)).toEqual(question(one.messages))
        expect(state.messages.at(-1)).toEqual(one.messages.at(-1))
        expect(wasAsked).toBe(asked.length > 0)
        expect(asked.length).toBeLessThanOrEqual(one.messages.length)
        if (one.memory.summary === undefined) expect(asked).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test('is left alone by a second look', () => {
    return fc.assert(
      fc.asyncProperty(given, async (one) => {
        const { state } = await shorten(one)
        const before = structuredClone(state)
        const again = await shortenMemory(
          state,
          { summarize: () => Promise.reject(new Error('asked again')), now: () => 0 },
          2,
        )
        expect(again).toBe(false)
        expect(state).toEqual(before)
      }),
      { numRuns: 300 },
    )
  })

  test('keeps its newest messages word for word, unless a token budget says otherwise', () => {
    return fc.assert(
      fc.asyncProperty(given, async (one) => {
        const { summary: policy } = one.memory
        fc.pre(policy !== undefined && one.memory.maxTokens === undefined)
        const { state } = await shorten(one)
        const kept = Math.min(policy?.keepMessages ?? 0, one.messages.length)
        expect(state.messages.slice(-kept)).toEqual(one.messages.slice(-kept))
      }),
      { numRuns: 300 },
    )
  })
})

describe('a token budget', () => {
  test('is kept, or nothing is left but the goal and the newest group', () => {
    return fc.assert(
      fc.property(given, fc.integer({ min: 1, max: 20_000 }), (one, maxTokens) => {
        const state = begin(one)
        const dropped = dropOldest(state, maxTokens)
        const total = sizesOf(state).reduce((sum, size) => sum + size, 0)
        expect(inProvidersMeasure(state, total) <= maxTokens || isMinimal(state.messages)).toBe(
          true,
        )
        expect(state.messages).toHaveLength(one.messages.length - dropped)
        expect(question(state.messages)).toEqual(question(one.messages))
        expectInOrder(state)
      }),
      { numRuns: 500 },
    )
  })

  test('is half of what was too long for the provider: something goes, or nothing can', () => {
    return fc.assert(
      fc.property(given, (one) => {
        const state = begin(one)
        const before = state.messages
        const isShorter = shortenRefused(state)
        expect(isShorter).toBe(state.messages.length < before.length)
        const total = sizesOf(state).reduce((sum, size) => sum + size, 0)
        // Messages of no size at all are no reason.
        if (!isShorter) expect(isMinimal(before) || total === 0).toBe(true)
        expectInOrder(state)
      }),
      { numRuns: 500 },
    )
  })
})

test('the scratchpad keeps questions, answers and summaries, and breaks nothing', () => {
  return fc.assert(
    fc.property(given, fc.integer({ min: 1, max: 5 }), (one, turns) => {
      const state = begin(one)
      dropTraces(state, turns)
      expectInOrder(state)
      const questions = (list: readonly Message[]) =>
        list.filter((message) => message.role === 'user' && message.kind === undefined)
      expect(questions(state.messages)).toEqual(questions(one.messages).slice(-turns))
      expect(state.messages.some(({ role }) => role === 'tool')).toBe(false)
      expect(state.messages.some(isNote)).toBe(false)
    }),
    { numRuns: 300 },
  )
})
