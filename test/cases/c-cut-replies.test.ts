import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type JsonObject, type JsonValue } from '../../src/index.js'
import {
  callTool,
  cutJson,
  cutStream,
  type Reply,
  raw,
  reset,
  say,
  sse,
} from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { attempts } from '../kit/attempts.js'
import { toolsScheduled } from './history.js'
import { openStage } from './kit.js'

const add = defineTool({
  name: 'add',
  description: 'Use when two numbers are added.',
  input: z.object({ a: z.int(), b: z.int() }),
  execute: ({ a, b }) => a + b,
})
const call = callTool('add', { a: 1, b: 2 })
const content = (text: string) => ({ choices: [{ delta: { content: text } }] })

/** Streams that end too early: they are tried again, and nothing of them is used. */
const CUT: Record<string, Reply> = {
  'content, then a clean close': cutStream(say('Half of the')),
  'a call, then a clean close': cutStream(call),
  'half a chunk': cutJson(say('Half of the')),
  'a call that is cut in its arguments': cutJson(call),
  'a reset in the middle': reset(
    'body',
    say('Half of the answer was sent, and then the line broke'),
  ),
  'a reset in a call': reset('body', call),
  'nothing at all': sse([], { done: false }),
  'a call that is complete, but no end': sse(
    [
      {
        choices: [
          { delta: { tool_calls: [{ function: { name: 'add', arguments: '{"a":1,"b":2}' } }] } },
        ],
      },
    ],
    { done: false },
  ),
  'an error in the middle': sse([content('Half'), { error: { message: 'overloaded' } }]),
  'an error as text': sse([content('Half'), { error: 'overloaded' }], { done: false }),
  'a half pair of an event': raw('data: {"choices":[{"delta":{"content":"Half', {
    headers: { 'content-type': 'text/event-stream' },
  }),
}

test.each([true, false])(
  'B22 · a reply that ends too early is no reply (stream: %s)',
  async (stream) => {
    const stage = await openStage({ agents: [testAgent({ tools: [add] })], stream })
    const cases = Object.entries(CUT)
    const outcomes = await Promise.all(
      cases.map(([, cut]) => stage.play({ script: [cut, say('whole')] })),
    )
    for (const [i, { result, events }] of outcomes.entries()) {
      const name = cases[i]?.[0]
      expect(result, name).toMatchObject({ answer: 'whole', steps: 1, usage: { modelCalls: 1 } })
      expect(attempts(events, 'callModel'), name).toBe(2)
      expect(toolsScheduled(events), name).toEqual([])
    }
  },
)

test('B22 · a stream without a finish reason, but with an end, is whole', async () => {
  const stage = await openStage({ agents: [testAgent({ tools: [add] })] })
  const whole = { choices: [{ delta: { content: 'whole' } }] }
  const outcomes = await Promise.all([
    stage.play({ script: [cutStream(say('whole'), { done: true })] }),
    stage.play({ script: [cutStream(call, { done: true }), say('whole')] }),
    stage.play({ script: [sse([whole])] }),
    stage.play({
      script: [sse([whole, { choices: [{ delta: {}, finish_reason: 'stop' }] }], { done: false })],
    }),
    stage.play({ script: [sse([whole, { choices: [{ delta: {}, finish_reason: 'eos' }] }])] }),
  ])
  for (const { result, events, steps } of outcomes) {
    expect(result).toMatchObject({ answer: 'whole', stopReason: 'answered' })
    expect(attempts(events, 'callModel')).toBe(steps.length)
  }
})

/** What servers say of usage, and what can be counted of it. */
const USAGE: readonly [usage: JsonValue | undefined, counted: number | null][] = [
  [undefined, null],
  [null, null],
  [{}, null],
  [[], null],
  ['12', null],
  [{ prompt_tokens: null, completion_tokens: null }, null],
  [{ prompt_tokens: '12', completion_tokens: '3' }, null],
  [{ prompt_tokens: -1, completion_tokens: 3 }, null],
  [{ prompt_tokens: 1.5, completion_tokens: 3 }, null],
  [{ total_tokens: 15 }, null],
  [{ prompt_tokens: 12 }, 12],
  [{ prompt_tokens: 12, completion_tokens: null }, 12],
  [{ prompt_tokens: 12, completion_tokens: 3, total_tokens: Number.MAX_SAFE_INTEGER }, 15],
  [{ prompt_tokens: 0, completion_tokens: 0 }, 0],
]

test('B22 · usage that is missing counts as unknown, never as no number', async () => {
  const stage = await openStage({ agents: [testAgent()] })
  const ask = {
    role: 'assistant',
    tool_calls: [{ function: { name: 'lookup', arguments: '{"id":"1"}' } }],
  }
  const answer = { role: 'assistant', content: 'done' }
  const document = (message: JsonObject, usage: JsonValue | undefined) =>
    raw({ choices: [{ message }], ...(usage === undefined ? {} : { usage }) })
  const stream = (delta: JsonObject, usage: JsonValue | undefined) =>
    sse([
      { choices: [{ delta }], ...(usage === undefined ? {} : { usage: null }) },
      { choices: [], ...(usage === undefined ? {} : { usage }) },
    ])
  const cases = USAGE.flatMap(([usage, counted]) =>
    [document, stream].map((reply) => ({
      usage,
      counted,
      script: [reply(ask, usage), reply(answer, usage)],
    })),
  )
  const outcomes = await Promise.all(cases.map(({ script }) => stage.play({ script })))
  for (const [i, { result }] of outcomes.entries()) {
    const { usage, counted } = cases[i] ?? {}
    expect(result, JSON.stringify(usage)).toMatchObject({ answer: 'done', steps: 2 })
    expect(result?.usage, JSON.stringify(usage)).toMatchObject({
      modelCalls: 2,
      uncountedCalls: counted === null ? 2 : 0,
      totalTokens: 2 * (counted ?? 0),
    })
  }
})

test('B22 · limits hold where no usage is told', async () => {
  const stage = await openStage({ agents: [testAgent({ limits: { maxSteps: 3 } })] })
  const { result } = await stage.play({
    respond: ({ tools }, { index }) =>
      tools === undefined
        ? say('That is all.', { usage: null })
        : callTool('lookup', { id: `A${index}` }, { usage: null }),
  })
  const usage = { totalTokens: 0, modelCalls: 4, uncountedCalls: 4 }
  expect(result).toMatchObject({ stopReason: 'max_steps', steps: 3, usage })
})
