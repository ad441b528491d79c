import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import { type Answer, callTool, callTools, raw, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { toolsScheduled } from './history.js'
import { observations, openStage } from './kit.js'

const base = { description: 'Use when the test says so.' }
const weather = defineTool({
  ...base,
  name: 'weather',
  input: z.object({ city: z.string() }),
  execute: ({ city }) => `sunny in ${city}`,
})

const NOT_JSON = [
  '{"city" "Oslo"}',
  '{"city":"Oslo"',
  '{"city":"Oslo",}',
  "{'city':'Oslo'}",
  '{city:"Oslo"}',
  '{"city":"Oslo"}{"city":"Bergen"}',
  '{"city":"Oslo"} and so on',
  '```json\n{"city":"Oslo"}\n```',
  '{"city":NaN}',
  '{"city":undefined}',
  '{"city":"a\nb"}',
  'Oslo',
  '"Oslo"',
  '["Oslo"]',
  '[{"city":"Oslo"}]',
  '12',
  'null',
  'true',
  '\u0000',
  '\ufffd{"city":"Oslo"}',
  '😀'.repeat(99),
  `{"city":"${'x'.repeat(100_000)}`,
  `${'{"city":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  `${'['.repeat(50_000)}`,
]

test.each([true, false])('B01 · arguments that are not JSON (stream: %s)', async (stream) => {
  const stage = await openStage({ agents: [testAgent({ tools: [weather] })], stream })
  // What a server sends as a document is the same once it is read: a few are enough.
  const texts = NOT_JSON.filter((_, i) => stream || i % 4 === 0)
  const outcomes = await Promise.all(
    texts.map((args) =>
      stage.play({ script: [callTool('weather', args, { id: 'c1' }), say('Sorry.')] }),
    ),
  )
  for (const [i, outcome] of outcomes.entries()) {
    const args = texts[i]?.slice(0, 40)
    expect(outcome.result, args).toMatchObject({
      answer: 'Sorry.',
      stopReason: 'answered',
      steps: 2,
    })
    expect(toolsScheduled(outcome.events), args).toEqual([])
    const [text = '', ...more] = observations(outcome)
    expect(more, args).toEqual([])
    const { error_type, message } = JSON.parse(text)
    expect(error_type, args).toBe('invalid_arguments')
    expect(message.length, args).toBeLessThanOrEqual(200)
    // What is sent back is JSON of an object: the strict server looks.
    const [call] = outcome.requests[1]?.body.messages.at(-2)?.tool_calls ?? []
    expect(call?.function, args).toEqual({
      name: 'weather',
      arguments: expect.stringMatching(/^\{/),
    })
  }
})

test('B01 · one bad call among good ones costs none of them', async () => {
  const stage = await openStage({ agents: [testAgent({ tools: [weather] })] })
  const outcome = await stage.play({
    script: [
      callTools([
        { name: 'weather', args: { city: 'Oslo' } },
        { name: 'weather', args: '{"city" "Rome"}' },
        { name: 'weather', args: { city: 'Bern' } },
      ]),
      say('done'),
    ],
  })
  expect(toolsScheduled(outcome.events)).toEqual(['weather', 'weather'])
  expect(observations(outcome)).toEqual([
    'sunny in Oslo',
    expect.stringContaining('not a JSON object'),
    'sunny in Bern',
  ])
})

test('B01 · keys that JavaScript knows are nothing special', async () => {
  const seen: unknown[] = []
  const open = defineTool({
    ...base,
    name: 'open',
    input: z.looseObject({ city: z.string() }),
    execute: (input) => {
      seen.push(Object.getPrototypeOf(input) === Object.prototype, Object.hasOwn({}, 'polluted'))
      return Object.keys(input)
    },
  })
  const stage = await openStage({ agents: [testAgent({ tools: [open, weather] })] })
  const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'toJSON']
  for (const key of keys) {
    const args = `{"city":"Oslo","${key}":{"polluted":true,"toString":1}}`
    const outcome = await stage.play({
      script: [callTools(['open', 'weather'].map((name) => ({ name, args }))), say('done')],
    })
    expect(outcome.result, key).toMatchObject({ answer: 'done' })
    expect(observations(outcome)[1], key).toBe('sunny in Oslo')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  }
  expect(seen.filter((_, i) => i % 2 === 0)).not.toContain(false)
})

/** A reply with a call whose `function` is exactly this. */
function bareCall(fn: Record<string, string | null | Record<string, string>>) {
  const message = { role: 'assistant', content: null, tool_calls: [{ id: 'c1', function: fn }] }
  return raw({ choices: [{ index: 0, finish_reason: 'tool_calls', message }] })
}

test('B02 · a call without arguments', async () => {
  const take = (name: string, input: z.ZodType) =>
    defineTool({ ...base, name, input, execute: (args) => JSON.stringify(args) })
  const none = take('none', z.object({}))
  const defaults = take(
    'defaults',
    z.object({ n: z.number().default(3), t: z.string().optional() }),
  )
  const stage = await openStage({ agents: [testAgent({ tools: [none, defaults, weather] })] })
  const nothing: ((name: string) => Answer | ReturnType<typeof raw>)[] = [
    (name) => callTool(name, ''),
    (name) => callTool(name, '  '),
    (name) => callTool(name, '\n\t\r\n'),
    (name) => callTool(name, '{}'),
    (name) => callTool(name, ' {} '),
    (name) => bareCall({ name }),
    (name) => bareCall({ name, arguments: null }),
    (name) => bareCall({ name, arguments: {} }),
  ]
  const outcomes = await Promise.all(
    nothing.map((reply) =>
      Promise.all(
        ['none', 'defaults', 'weather'].map((name) =>
          stage.play({ script: [reply(name), say('done')] }),
        ),
      ),
    ),
  )
  for (const [i, [none, defaults, control]] of outcomes.entries()) {
    expect(none?.steps[0]?.calls, `${i}`).toMatchObject([{ status: 'ok', observation: '{}' }])
    expect(defaults?.steps[0]?.calls, `${i}`).toMatchObject([
      { status: 'ok', observation: '{"n":3}' },
    ])
    expect(control?.steps[0]?.calls, `${i}`).toMatchObject([
      { status: 'refused', observation: expect.stringContaining('invalid_arguments') },
    ])
  }
})

test('B04 · arguments that are JSON encoded twice', async () => {
  const todos = z.array(z.string())
  const tool = (name: string, input: z.ZodType) =>
    defineTool({ ...base, name, input, execute: (args) => args })
  const tools = {
    n: tool('n', z.object({ n: z.number() })),
    todos: tool('todos', z.object({ todos })),
    deep: tool('deep', z.object({ a: z.object({ todos }), b: z.array(z.object({ n: z.int() })) })),
    maybe: tool(
      'maybe',
      z.object({ todos: todos.optional(), at: z.object({ n: z.int() }).nullish() }),
    ),
    record: tool('record', z.object({ by: z.record(z.string(), z.int()) })),
    pair: tool('pair', z.object({ pair: z.tuple([z.int(), z.string()]) })),
    body: tool('body', z.object({ body: z.string() })),
    either: tool('either', z.object({ v: z.union([z.string(), todos]) })),
    list: tool('list', z.object({ v: z.union([z.number(), todos]) })),
  }
  /** What the model sends, and what the tool gets; null when it must not run. */
  const cases: [keyof typeof tools, string, unknown][] = [
    ['n', '"{\\"n\\":2}"', { n: 2 }],
    ['n', ' "{\\"n\\":2}" ', { n: 2 }],
    ['todos', '{"todos":"[\\"milk\\"]"}', { todos: ['milk'] }],
    ['todos', JSON.stringify(JSON.stringify({ todos: '["milk"]' })), { todos: ['milk'] }],
    [
      'deep',
      JSON.stringify({ a: JSON.stringify({ todos: ['x'] }), b: JSON.stringify([{ n: 1 }]) }),
      { a: { todos: ['x'] }, b: [{ n: 1 }] },
    ],
    [
      'deep',
      JSON.stringify({ a: { todos: '["x"]' }, b: ['{"n":1}'] }),
      { a: { todos: ['x'] }, b: [{ n: 1 }] },
    ],
    ['maybe', '{"todos":"[\\"x\\"]","at":"{\\"n\\":1}"}', { todos: ['x'], at: { n: 1 } }],
    ['record', '{"by":"{\\"a\\":1}"}', { by: { a: 1 } }],
    ['pair', '{"pair":"[1,\\"x\\"]"}', { pair: [1, 'x'] }],
    ['list', '{"v":"[\\"x\\"]"}', { v: ['x'] }],
    // A text that is wanted as text stays as it is, byte by byte.
    ['body', '{"body":"{\\"k\\":1}"}', { body: '{"k":1}' }],
    ['body', '{"body":" [1, 2] "}', { body: ' [1, 2] ' }],
    ['body', '"{\\"body\\":\\"{ \\\\\\"k\\\\\\" : 1 }\\"}"', { body: '{ "k" : 1 }' }],
    ['body', '{"body":"\\"quoted\\""}', { body: '"quoted"' }],
    ['either', '{"v":"[\\"x\\"]"}', { v: '["x"]' }],
    // Everything else is an error, and no guess.
    ['n', JSON.stringify(JSON.stringify(JSON.stringify({ n: 2 }))), null],
    ['n', '{"n":"2"}', null],
    ['n', '"[2]"', null],
    ['todos', '{"todos":"milk, eggs"}', null],
    ['todos', '{"todos":"{\\"0\\":\\"milk\\"}"}', null],
    ['todos', '{"todos":"\\"[\\\\\\"milk\\\\\\"]\\""}', null],
    ['todos', '{"todos":"[1]"}', null],
  ]
  const stage = await openStage({ agents: [testAgent({ tools: Object.values(tools) })] })
  const outcomes = await Promise.all(
    cases.map(([name, args]) => stage.play({ script: [callTool(name, args), say('done')] })),
  )
  for (const [i, outcome] of outcomes.entries()) {
    const [name, args, wanted] = cases[i] ?? []
    const [text = ''] = observations(outcome)
    expect(toolsScheduled(outcome.events), args).toEqual(wanted === null ? [] : [name])
    if (wanted === null) expect(JSON.parse(text).error_type, args).toBe('invalid_arguments')
    else expect(JSON.parse(text), args).toEqual(wanted)
  }
})
