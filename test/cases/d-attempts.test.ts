import { expect, test } from 'vitest'
import type { JsonValue } from '../../src/index.js'
import {
  callTool,
  cutJson,
  html,
  type Reply,
  raw,
  reset,
  say,
  status,
} from '../../src/testing/index.js'
import { openAIModel } from '../../src/worker.js'
import { testAgent } from '../kit/agents.js'
import { attempts } from '../kit/attempts.js'
import { openStage } from './kit.js'

const LASTING: Record<string, Reply> = {
  'status 500': status(500),
  'status 503': status(503),
  'status 429': status(429, { headers: { 'retry-after-ms': '200' } }),
  'a reset': reset('before'),
  'a reset in the body': reset('body'),
  'a page': html(200),
  'cut JSON': cutJson(say('never whole')),
  'an error in a 200': raw({ error: { message: 'overloaded' } }),
}

test('B25 · attempts in the history are all the requests there are', async () => {
  const stage = await openStage({ agents: [testAgent({ modelRetry: { maximumAttempts: 3 } })] })
  const cases = Object.entries(LASTING)
  const outcomes = await Promise.all(cases.map(([, fault]) => stage.play({ respond: () => fault })))
  for (const [i, { error, requests, events, steps }] of outcomes.entries()) {
    const name = cases[i]?.[0]
    expect(error, name).toMatchObject({ reason: 'model_error', step: 1 })
    expect(requests, name).toHaveLength(3)
    expect(attempts(events, 'callModel'), name).toBe(3)
    expect(steps[0], name).toMatchObject({ attempts: 3, status: 'failed' })
  }
})

test('B25 · a model that is nowhere is asked as often, and the run fails', async () => {
  const stage = await openStage({
    agents: [testAgent({ modelRetry: { maximumAttempts: 2 } })],
    // Nothing listens on port 9 of this machine.
    makeModel: () => openAIModel({ baseURL: 'http://127.0.0.1:9/v1' }),
  })
  const run = await stage.client.start('test-agent', { input: 'Go.' })
  await expect(run.result()).rejects.toMatchObject({ reason: 'model_error' })
  expect((await run.steps())[0]).toMatchObject({ attempts: 2, status: 'failed' })
})

test('B25 · each fallback model has its attempts, and no more', async () => {
  const stage = await openStage({
    agents: [testAgent({ model: ['first', 'second'], modelRetry: { maximumAttempts: 2 } })],
  })
  const { result, requests } = await stage.play({
    respond: ({ model }) => (model === 'first' ? status(500) : say('I can.')),
  })
  expect(result).toMatchObject({ answer: 'I can.', models: { second: 1 } })
  expect(requests.map(({ body }) => body.model)).toEqual(['first', 'first', 'second'])
})

const tooLong = (error: Record<string, JsonValue>, code = 400) => status(code, { body: { error } })

/** How servers say that a prompt is too long. */
const TOO_LONG: Record<string, Reply> = {
  'the code alone': tooLong({ code: 'context_length_exceeded' }),
  OpenAI: tooLong({ message: "This model's maximum context length is 8192 tokens.", code: null }),
  Anthropic: tooLong({ message: 'prompt is too long: 210000 tokens > 200000 maximum' }),
  Gemini: tooLong({
    message: 'The input token count (5) exceeds the maximum number of tokens allowed (4).',
  }),
  'llama.cpp': tooLong({
    message: 'the request exceeds the available context size',
    type: 'exceed_context_size_error',
  }),
  'status 413': tooLong({ message: 'The context window is exceeded.' }, 413),
  'status 422': tooLong({ message: 'Requested tokens exceed context window of 4096.' }, 422),
  'an error in a 200': raw({ error: { message: 'Too long.', code: 'context_length_exceeded' } }),
}

test('context length without memory: the run ends with that reason after one request', async () => {
  const stage = await openStage({ agents: [testAgent({ memory: 'none' })] })
  const cases = Object.entries(TOO_LONG)
  const outcomes = await Promise.all(cases.map(([, reply]) => stage.play({ script: [reply] })))
  for (const [i, { result, requests }] of outcomes.entries()) {
    const name = cases[i]?.[0]
    expect(result, name).toMatchObject({ stopReason: 'context_length', answer: '', steps: 1 })
    expect(requests, name).toHaveLength(1)
  }
  const spoken = callTool('lookup', { id: 'A1' }, { text: 'So far: 1.' })
  const [reply = status(400)] = Object.values(TOO_LONG)
  const { result, requests } = await stage.play({ script: [spoken, reply] })
  expect(result).toMatchObject({ stopReason: 'context_length', answer: 'So far: 1.', steps: 2 })
  expect(requests).toHaveLength(2)
})

test('B27 · a prompt that is too long is shortened once and sent again', async () => {
  const stage = await openStage({ agents: [testAgent()] })
  const lookups = ['A1', 'A2', 'A3'].map((id) => callTool('lookup', { id }))
  const cases = Object.entries(TOO_LONG)
  const outcomes = await Promise.all(
    cases.map(([, reply]) => stage.play({ script: [...lookups, reply, say('done')] })),
  )
  for (const [i, { result, requests, steps }] of outcomes.entries()) {
    const name = cases[i]?.[0]
    expect(result, name).toMatchObject({ stopReason: 'answered', answer: 'done', steps: 4 })
    expect(requests, name).toHaveLength(5)
    const [refused, shorter] = requests.slice(-2).map(({ body }) => body.messages)
    expect(shorter?.length, name).toBeLessThan(refused?.length ?? 0)
    // The system message and the goal stay, and so does what came last.
    expect(shorter?.slice(0, 2), name).toEqual(refused?.slice(0, 2))
    expect(shorter?.slice(-2), name).toEqual(refused?.slice(-2))
    expect(
      steps.map(({ status: state }) => state),
      name,
    ).toEqual(Array(5).fill('done'))
  }
})

test('B27 · a prompt that stays too long ends the run after two requests', async () => {
  const stage = await openStage({ agents: [testAgent()] })
  const [reply = status(400)] = Object.values(TOO_LONG)
  const spoken = callTool('lookup', { id: 'A1' }, { text: 'So far: 1.' })
  const lookups = ['A2', 'A3'].map((id) => callTool('lookup', { id }))
  // Nothing can be left out of one question but the tools.
  for (const before of [[], [spoken], [spoken, ...lookups]]) {
    const { result, requests } = await stage.play({ script: [...before, reply, reply] })
    expect(result).toMatchObject({
      stopReason: 'context_length',
      answer: before.length === 0 ? '' : 'So far: 1.',
    })
    const asked = requests.slice(before.length).map(({ body }) => JSON.stringify(body))
    expect(asked).toHaveLength(2)
    expect(asked[1]?.length).toBeLessThan(asked[0]?.length ?? 0)
  }
})
