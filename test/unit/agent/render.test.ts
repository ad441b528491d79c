import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openStep } from '../../../src/agent/open-step.js'
import { callSummary, currentDetails, modelSummary } from '../../../src/agent/render.js'
import type { JsonObject, JsonValue } from '../../../src/contract/json.js'
import { json, jsonObject, wellFormedText } from './arbitraries.js'
import { stateOf, toolOf } from './manifests.js'

const tool = toolOf('search')
const masked = toolOf('search', { sensitive: ['card', 'pin'] })

describe('the summary of a call', () => {
  test('reads like JavaScript', () => {
    const args = { orderId: 'A1001', n: 2, deep: { ok: true, list: [1, null] } }
    expect(callSummary(2, args, tool)).toBe(
      'step 2 · {orderId: "A1001", n: 2, deep: {ok: true, list: [1, null]}}',
    )
  })

  test('has at most 200 characters', () => {
    return fc.assert(
      fc.property(fc.nat(999), jsonObject, (step, args) => {
        expect(callSummary(step, args, tool).length).toBeLessThanOrEqual(200)
      }),
    )
  })

  test('shows that it was cut', () => {
    const line = callSummary(1, { q: 'x'.repeat(500) }, tool)
    expect(line).toHaveLength(200)
    expect(line.endsWith('x…')).toBe(true)
  })

  test('never splits a surrogate pair', () => {
    return fc.assert(
      fc.property(wellFormedText, fc.nat(30), (text, pad) => {
        const q = `${'x'.repeat(pad)}${text}${'😀'.repeat(100)}`
        expect(callSummary(1, { q }, tool).isWellFormed()).toBe(true)
      }),
    )
  })

  test('masks sensitive fields', () => {
    expect(callSummary(1, { card: '4111', amount: 5 }, masked)).toBe(
      'step 1 · {card: •••, amount: 5}',
    )
  })

  test('masks sensitive fields at any depth, whatever they hold', () => {
    const SECRET = 'S3CRET'
    const poisoned = fc
      .tuple(json, fc.constantFrom('card', 'pin'), fc.array(fc.boolean(), { maxLength: 6 }))
      .map(([beside, field, path]): JsonObject => {
        const secret: JsonValue = { deep: [SECRET], [SECRET]: 1 }
        const inner: JsonValue = { [field]: secret }
        const value = path.reduce<JsonValue>((v, list) => (list ? [v] : { a: v }), inner)
        return { value, beside }
      })
    return fc.assert(
      fc.property(poisoned, (args) => {
        const line = callSummary(1, args, masked)
        expect(line).not.toContain(SECRET)
        expect(line).toContain('•••')
      }),
    )
  })
})

describe('the summary of a model call', () => {
  test('names step and model', () => {
    expect(modelSummary(3, 'test-model', false)).toBe('step 3 · test-model')
  })

  test('says when the answer is forced', () => {
    expect(modelSummary(9, 'test-model', true)).toBe('step 9 · test-model · forced answer')
  })

  test('has at most 200 characters', () => {
    expect(modelSummary(1, 'm'.repeat(300), true)).toHaveLength(200)
  })
})

describe('the current details', () => {
  const state = stateOf()
  state.rows = [
    { step: 1, what: 'search, read', tokens: 120, ms: 2350 },
    { step: 2, what: 'a|b\nc', tokens: 0, ms: 0 },
  ]
  state.usage = { ...state.usage, totalTokens: 120 }

  test('show agent, model, limit and tokens above the table', () => {
    expect(currentDetails(state, null).split('\n')[0]).toBe(
      '**tester** · test-model · at most 8 steps · 120 tokens',
    )
  })

  test('show the cost where prices are known, and what each model used where several did', () => {
    const prices = { 'test-model': { promptPerMillion: 10, completionPerMillion: 20 } }
    const priced = stateOf({ prices })
    const used = { ...priced.usage, promptTokens: 1_000, completionTokens: 100, modelCalls: 1 }
    priced.usageByModel = { 'test-model': used }
    expect(currentDetails(priced, null)).toContain(' tokens · $0.0120\n\n| step')
    priced.usageByModel = { 'test-model': used, other: { ...used, modelCalls: 2 } }
    const text = currentDetails(priced, null)
    expect(text).not.toMatch(/^.*tester.*\$/)
    expect(text).toContain('\n\n- test-model: 1 call, 1000 + 100 tokens, $0.0120\n- other: 2 calls')
  })

  test('show one row per step, with seconds', () => {
    expect(currentDetails(state, null)).toContain(
      '\n| 1\u2003 | search, read | \u2003120 | \u20032.4 |\n',
    )
  })

  test('escape what would break the table', () => {
    expect(currentDetails(state, null).split('\n').at(-1)).toBe(
      '| 2\u2003 | a\\|b c | \u20030 | \u20030.0 |',
    )
  })

  test('end with the reason and the answer', () => {
    const text = currentDetails(state, { reason: 'max_steps', answer: 'So far.' })
    expect(text.endsWith('\n\n**max_steps**\n\nSo far.')).toBe(true)
  })

  test('end with the reason alone when there is no answer', () => {
    const text = currentDetails(state, { reason: 'empty_reply', answer: '' })
    expect(text.endsWith('\n\n**empty_reply**')).toBe(true)
  })

  test('stay small: a long answer is cut, between characters', () => {
    const text = currentDetails(state, { reason: 'answered', answer: `x${'😀'.repeat(50_000)}` })
    expect(text.length).toBeLessThan(21_000)
    expect(text.isWellFormed()).toBe(true)
    expect(text.endsWith('…')).toBe(true)
  })
})

test('the current details say what a person must decide, with its id and without what is sensitive', () => {
  const message = {
    role: 'assistant',
    text: '',
    calls: [{ name: 'search', args: { q: 'a|b', card: '4711' }, approval: 'above 100' }],
    turn: 1,
    step: 1,
  } as const
  const state = stateOf({ tools: [masked] })
  state.step = 1
  openStep(state, { message }, { what: 'search', tokens: 1, startedAt: 0 }, () => 0)
  const details = currentDetails(state, null)
  expect(details).toContain('**waits for approval** (001000101)')
  expect(details).toContain('search {q: "a\\|b", card: •••} · above 100')
  expect(details).not.toContain('4711')
})
