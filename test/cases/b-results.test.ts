import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import { callTools, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { observations, openStage } from './kit.js'

class Secretive {
  toJSON(): unknown {
    throw new Error('not for you')
  }
}
const circle: Record<string, unknown> = { name: 'circle' }
circle['self'] = circle

/** What a tool returns, and what the model must read of it: in part, or word by word. */
const RESULTS: Record<string, readonly [value: unknown, text: RegExp]> = {
  undefined: [undefined, /no result/],
  null: [null, /no result/],
  'a promise of nothing': [Promise.resolve(), /no result/],
  'an empty list': [[], /^\[\] .*empty/],
  'an empty object': [{}, /^\{\} .*empty/],
  'an empty text': ['', /empty/],
  'an empty map': [new Map(), /empty/],
  'an empty set': [new Set(), /empty/],
  'the number 0': [0, /^0$/],
  'minus 0': [-0, /^-?0$/],
  false: [false, /^false$/],
  true: [true, /^true$/],
  'no number': [Number.NaN, /NaN/],
  infinity: [Number.POSITIVE_INFINITY, /Infinity/],
  'a bigint': [12345678901234567890n, /12345678901234567890/],
  'a symbol': [Symbol('s'), /symbol/],
  'a function': [() => 1, /function/],
  'a date': [new Date(0), /1970-01-01T00:00:00/],
  'an error': [new RangeError('hunter2'), /RangeError/],
  'a map': [new Map([['a', 1]]), /"a":1/],
  'a set': [new Set(['x']), /"x"/],
  'a list with a hole': [[undefined], /null/],
  'a key without a value': [{ a: undefined, b: 1 }, /"b":1/],
  'a circle': [circle, /circular/],
  'a toJSON that throws': [new Secretive(), /cannot be shown/],
  'half a pair': ['ab\ud83d', /^ab\ufffd$/],
  'a list of zeros': [[0], /^\[0\]$/],
  'the text 0': ['0', /^0$/],
  'the text null': ['null', /^null$/],
}

test('B20 · whatever a tool returns is a text, and nothing is told from something', async () => {
  const kinds = Object.keys(RESULTS)
  const give = defineTool({
    name: 'give',
    description: 'Use when the test says so.',
    input: z.object({ kind: z.enum(kinds) }),
    execute: ({ kind }) => RESULTS[kind]?.[0],
  })
  const hinted = defineTool({
    name: 'hinted',
    description: 'Use when the test says so.',
    input: z.object({ kind: z.enum(kinds) }),
    emptyHint: 'Try search_orders by name.',
    execute: ({ kind }) => RESULTS[kind]?.[0],
  })
  const stage = await openStage({ agents: [testAgent({ tools: [give, hinted] })] })
  const calls = (name: string) => callTools(kinds.map((kind) => ({ name, args: { kind } })))
  const outcome = await stage.play({ script: [calls('give'), calls('hinted'), say('done')] })
  expect(outcome.result?.answer).toBe('done')
  const texts = observations(outcome)
  expect(texts).toHaveLength(2 * kinds.length)
  for (const [i, kind] of kinds.entries()) {
    const [, wanted = /^$/] = RESULTS[kind] ?? []
    expect(texts[i], kind).toMatch(wanted)
    expect(texts[i], kind).not.toMatch(/hunter2|"status":"error"/)
    // The eight that hold nothing come first.
    const hint = texts[kinds.length + i]?.endsWith(' Try search_orders by name.')
    expect(hint, kind).toBe(i < 8)
  }
  expect(outcome.steps.flatMap(({ calls: all }) => all.map((call) => call.attempts))).not.toContain(
    2,
  )
})

test('B20 · a text of nothing but blanks says that it is empty', async () => {
  const blank = defineTool({
    name: 'blank',
    description: 'Use when the test says so.',
    input: z.object({}),
    emptyHint: 'Try again by name.',
    execute: () => ' \n\t',
  })
  const stage = await openStage({ agents: [testAgent({ tools: [blank] })] })
  const outcome = await stage.play({
    script: [callTools([{ name: 'blank', args: {} }]), say('ok')],
  })
  expect(observations(outcome)[0]).toMatch(/empty.* Try again by name\.$/)
})
