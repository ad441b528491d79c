import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, ToolError } from '../../src/index.js'
import { callTool, callTools, raw, say, status } from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { attempts } from '../kit/attempts.js'
import { createGate } from '../kit/gate.js'
import { toolsScheduled } from './history.js'
import { observations, openStage } from './kit.js'

const empty = { description: 'Use when the test says so.', input: z.object({}) }

const THROWN: Record<string, () => unknown> = {
  'an error': () => new TypeError('no'),
  'a text': () => 'no',
  nothing: () => undefined,
  null: () => null,
  'a number': () => 42,
  'a symbol': () => Symbol('no'),
  'an object': () => Object.freeze({ code: 7 }),
  'an object without a prototype': () => Object.create(null),
  'an error with itself as cause': () => {
    const error = new Error('round')
    error.cause = error
    return error
  },
  'an error without a name': () => Object.assign(new Error('no'), { name: undefined }),
  'an AggregateError': () => new AggregateError([new Error('a'), 'b'], 'both'),
  'a ToolError': () => new ToolError('not today'),
  'a ToolError that is empty': () => new ToolError(''),
  'an abort': () => new DOMException('Aborted', 'AbortError'),
}

test('B16 · one failing call among parallel ones loses none of the others', async () => {
  const runs: Record<string, string[]> = {}
  const gates = new Map(Object.keys(THROWN).map((kind) => [kind, createGate()]))
  const tool = (name: string, execute: (kind: string) => unknown) =>
    defineTool({
      ...empty,
      name,
      context: z.object({ kind: z.string() }),
      execute: (_, { context: { kind } }) => {
        runs[kind] = [...(runs[kind] ?? []), name]
        return execute(kind)
      },
    })
  const tools = [
    tool('a', () => 'real a'),
    tool('b', (kind) => {
      throw THROWN[kind]?.()
    }),
    tool('c', async (kind) => {
      await gates.get(kind)?.opened
      return 'real c'
    }),
  ]
  const stage = await openStage({ agents: [testAgent({ tools })] })
  const kinds = Object.keys(THROWN)
  const outcomes = await Promise.all(
    kinds.map((kind) =>
      stage.play({
        context: { kind },
        script: [callTools(['a', 'b', 'c'].map((name) => ({ name, args: {} }))), say('done')],
        // C is still at work when the failure of B stands in the history.
        during: async (run) => {
          const status = async () => (await run.steps())[0]?.calls.map((call) => call.status)
          const wanted = ['ok', 'error', 'running']
          await expect.poll(status, { interval: 50, timeout: 30_000 }).toEqual(wanted)
          gates.get(kind)?.open()
        },
      }),
    ),
  )
  for (const [i, outcome] of outcomes.entries()) {
    const kind = kinds[i] ?? ''
    expect(outcome.result, kind).toMatchObject({ answer: 'done', steps: 2 })
    expect(runs[kind]?.toSorted(), kind).toEqual(['a', 'b', 'c'])
    expect(observations(outcome), kind).toEqual([
      'real a',
      expect.stringContaining('"status":"error"'),
      'real c',
    ])
  }
})

test('B16 · a call that passes its time-out costs none of the others', async () => {
  const runs: string[] = []
  const slow = defineTool({
    ...empty,
    name: 'slow',
    timeout: '200ms',
    execute: (_, { signal }) => {
      runs.push('slow')
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    },
  })
  const stage = await openStage({ agents: [testAgent({ tools: [lookup, slow] })] })
  const outcome = await stage.play({
    script: [
      callTools([
        { name: 'lookup', args: { id: 'A1' } },
        { name: 'slow', args: {} },
        { name: 'lookup', args: { id: 'A2' } },
      ]),
      say('done'),
    ],
  })
  expect(observations(outcome)).toEqual([
    '{"id":"A1","found":true}',
    expect.stringContaining('outcome_unknown'),
    '{"id":"A2","found":true}',
  ])
  expect(runs).toEqual(['slow'])
  expect(toolsScheduled(outcome.events).toSorted()).toEqual(['lookup', 'lookup', 'slow'])
})

test('B17 · nothing is said of tools where there are none', async () => {
  const limits = { maxSteps: 1 }
  const stage = await openStage({
    agents: [
      testAgent({ name: 'bare', tools: [] }),
      testAgent({ name: 'bare-serial', tools: [], parallel: false }),
      testAgent({ limits }),
      testAgent({ name: 'serial', limits, parallel: false }),
    ],
  })
  const call = callTool('lookup', { id: 'A1' })
  const outcomes = await Promise.all([
    stage.play({ agent: 'bare', script: [say('hello')] }),
    stage.play({ agent: 'bare-serial', script: [say('hello')] }),
    stage.play({ script: [call, say('hello')] }),
    stage.play({ agent: 'serial', script: [call, say('hello')] }),
  ])
  for (const { result, requests } of outcomes) {
    expect(result?.answer).toBe('hello')
    const last = requests.at(-1)?.body ?? {}
    for (const key of ['tools', 'tool_choice', 'parallel_tool_calls', 'functions']) {
      expect(last).not.toHaveProperty(key)
    }
    expect(JSON.stringify(last)).not.toContain('"tool_calls":[]')
  }
})

const modelSettings = { temperature: 0.5, topP: 0.9, maxTokens: 100, seed: 7, stop: ['END'] }

/** How servers say that they do not take a parameter. */
const REFUSALS: Record<string, (name: string) => ReturnType<typeof raw>> = {
  param: (param) =>
    status(400, { body: { error: { message: 'No.', code: 'unsupported_parameter', param } } }),
  message: (name) =>
    status(400, {
      body: {
        error: { message: `Unsupported parameter: '${name}' is not supported with this model.` },
      },
    }),
  unrecognized: (name) =>
    status(400, {
      body: { error: { message: `Unrecognized request argument supplied: ${name}` } },
    }),
  pydantic: (name) =>
    status(422, { body: { error: { message: `body.${name}: Extra inputs are not permitted` } } }),
}

test.each(Object.keys(REFUSALS))(
  'B17 · a refused parameter is left out, once (%s)',
  async (form) => {
    const names = ['max_tokens', 'temperature', 'top_p', 'seed', 'stop', 'parallel_tool_calls']
    if (form === 'param') names.push('stream_options', 'stream', 'strict')
    const agents = names.map((name) =>
      testAgent({ name, model: `model-${name}`, modelSettings, parallel: false }),
    )
    const stage = await openStage({ agents })
    const play = (name: string) =>
      stage.play({
        agent: name,
        respond: (request) => {
          const isSent = JSON.stringify(request).includes(`"${name}":`)
          if (isSent) return REFUSALS[form]?.(name) ?? raw('')
          return request.messages.length === 2 ? callTool('lookup', { id: 'A1' }) : say('done')
        },
      })
    const outcomes = await Promise.all(
      names.map(async (name) => ({ name, first: await play(name), second: await play(name) })),
    )
    for (const { name, first, second } of outcomes) {
      expect(first.result, name).toMatchObject({ answer: 'done', steps: 2 })
      // One resend for the model and worker: it is remembered, in later steps and in later runs.
      expect(first.requests, name).toHaveLength(3)
      expect(first.steps[0], name).toMatchObject({ adapted: [name], attempts: 1 })
      expect(first.steps[1]?.adapted, name).toEqual([])
      expect(second.requests, name).toHaveLength(2)
      if (name !== 'max_tokens') continue
      expect(first.requests[2]?.body.max_completion_tokens).toBe(100)
    }
  },
)

test('B17 · a server that takes hardly anything is adapted to; nothing is adapted for ever', async () => {
  const stage = await openStage({ agents: [testAgent({ modelSettings, parallel: false })] })
  const refuse = REFUSALS['param'] ?? (() => raw(''))
  const picky = [
    'max_tokens',
    'max_completion_tokens',
    'temperature',
    'seed',
    'parallel_tool_calls',
  ]
  const { result, steps } = await stage.play({
    respond: (request) => {
      const name = picky.find((field) => request[field] !== undefined)
      return name === undefined ? say('done') : refuse(name)
    },
  })
  expect(result?.answer).toBe('done')
  expect(steps[0]?.adapted.toSorted()).toEqual(picky.toSorted())
})

const FINAL = {
  'a parameter that cannot be left out': ['messages', 'unsupported_value'],
  'tools that are refused': ['tools', 'unsupported_parameter'],
  'a bad request': ['model', 'invalid_request_error'],
} as const

test('B17 · other 400s are final: one attempt, one request', async () => {
  const stage = await openStage({ agents: [testAgent()] })
  const cases = Object.entries(FINAL)
  const outcomes = await Promise.all(
    cases.map(([, [param, code]]) =>
      stage.play({ script: [status(400, { body: { error: { message: 'No.', param, code } } })] }),
    ),
  )
  for (const [i, { error, events, requests }] of outcomes.entries()) {
    expect(error, cases[i]?.[0]).toMatchObject({ reason: 'model_error' })
    expect(attempts(events, 'callModel')).toBe(1)
    expect(requests).toHaveLength(1)
  }
})
