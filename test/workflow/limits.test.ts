import { expect, test } from 'vitest'
import { z } from 'zod'
import { AgentLimitError, AgentRunError } from '../../src/client.js'
import { defineTool, ToolError } from '../../src/index.js'
import { type ChatRequest, callTool, callTools, say, status } from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'

/** A model that goes on calling as long as it is offered tools. */
function restless(calls: (index: number) => { name: string; args: Record<string, string> }) {
  return (request: ChatRequest, { index }: { readonly index: number }) => {
    const { name, args } = calls(index)
    return request.tools === undefined ? say('That is all I have.') : callTool(name, args)
  }
}

function lastRequest({ requests }: { requests: readonly { body: ChatRequest | null }[] }) {
  return requests.at(-1)?.body
}

test.each([1, 3, 8])(
  'maxSteps %i: so many calls with tools, then one without',
  async (maxSteps) => {
    const { client, model } = await startHarness({
      agents: [testAgent({ limits: { maxSteps } })],
      respond: restless((index) => ({ name: 'lookup', args: { id: `A${index}` } })),
    })
    const result = await (await client.start('test-agent', { input: 'Go' })).result()
    expect(result).toMatchObject({
      stopReason: 'max_steps',
      answer: 'That is all I have.',
      steps: maxSteps,
    })
    expect(model.requests).toHaveLength(maxSteps + 1)
    expect(model.requests.filter(({ body }) => body?.tools !== undefined)).toHaveLength(maxSteps)
    expect(lastRequest(model)).not.toHaveProperty('tool_choice')
    expect(lastRequest(model)?.messages.at(-1)).toMatchObject({ role: 'user' })
  },
)

test('an answer on the last step is an answer', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent({ limits: { maxSteps: 2 } })],
    script: [callTool('lookup', { id: 'A1' }), say('just in time')],
  })
  const result = await (await client.start('test-agent', { input: 'Go' })).result()
  expect(result).toMatchObject({ stopReason: 'answered', answer: 'just in time', steps: 2 })
  expect(model.requests).toHaveLength(2)
})

test('calls in the forced answer are not run', async () => {
  const seen: string[] = []
  const counted = defineTool({
    name: 'lookup',
    description: 'Use when asked.',
    input: z.object({ id: z.string() }),
    execute: ({ id }) => {
      seen.push(id)
      return 'ok'
    },
  })
  const { client } = await startHarness({
    agents: [testAgent({ tools: [counted], limits: { maxSteps: 1 } })],
    script: [
      callTool('lookup', { id: 'A1' }, { text: 'Looking.' }),
      callTool('lookup', { id: 'A2' }),
    ],
  })
  const result = await (await client.start('test-agent', { input: 'Go' })).result()
  expect(result).toMatchObject({ stopReason: 'max_steps', answer: 'Looking.' })
  expect(seen).toEqual(['A1'])
})

test.each([
  { period: 1, maxSteps: 8, calls: 4 },
  { period: 2, maxSteps: 8, calls: 7 },
  { period: 3, maxSteps: 12, calls: 10 },
])('a cycle of $period calls ends the run after its third time: $calls model calls', async (c) => {
  const { client, model } = await startHarness({
    agents: [testAgent({ limits: { maxSteps: c.maxSteps } })],
    respond: restless((index) => ({ name: 'lookup', args: { id: `A${index % c.period}` } })),
  })
  const result = await (await client.start('test-agent', { input: 'Go' })).result()
  expect(result).toMatchObject({ stopReason: 'repeats', steps: c.calls - 1 })
  expect(model.requests).toHaveLength(c.calls)
  const observations = lastRequest(model)?.messages.filter(({ role }) => role === 'tool') ?? []
  const noted = observations.map(({ content }) => String(content).includes('[note:'))
  // One note: on the call that completes the second time.
  expect(noted.indexOf(true)).toBe(2 * c.period - 1)
  expect(noted.filter(Boolean)).toHaveLength(1)
})

test('a polling tool and a changed observation are no repeats', async () => {
  let state = 0
  const options = { description: 'Use when asked for the state.', input: z.object({}) }
  const poll = defineTool({ ...options, name: 'poll', polling: true, execute: () => 'pending' })
  const changing = defineTool({ ...options, name: 'changing', execute: () => `state ${state++}` })
  for (const [name, tool] of Object.entries({ poll, changing })) {
    const { client, model } = await startHarness({
      agents: [testAgent({ tools: [tool], limits: { maxSteps: 5 } })],
      respond: restless(() => ({ name, args: {} })),
    })
    const result = await (await client.start('test-agent', { input: 'Go' })).result()
    expect(result).toMatchObject({ stopReason: 'max_steps', steps: 5 })
    expect(JSON.stringify(lastRequest(model))).not.toContain('[note:')
  }
})

test('three steps with nothing but errors end the run', async () => {
  const failing = defineTool({
    name: 'lookup',
    description: 'Use when asked.',
    input: z.object({ id: z.string() }),
    execute: ({ id }) => {
      throw new ToolError(`no ${id}`)
    },
  })
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [failing] })],
    respond: restless((index) => ({ name: 'lookup', args: { id: `A${index}` } })),
  })
  const result = await (await client.start('test-agent', { input: 'Go' })).result()
  expect(result).toMatchObject({ stopReason: 'tool_errors', steps: 3 })
  expect(model.requests).toHaveLength(4)
  expect(lastRequest(model)?.messages.at(-2)?.content).toBe(
    '{"status":"error","error_type":"tool_error","message":"no A2","retryable":false}',
  )
})

test("onLimit 'fail' fails the run with the partial work", async () => {
  const { client, model } = await startHarness({
    agents: [testAgent({ limits: { maxSteps: 1 }, onLimit: 'fail' })],
    script: [callTool('lookup', { id: 'A1' }, { text: 'So far so good.' })],
  })
  const error = await (await client.start('test-agent', { input: 'Go' })).result().catch((e) => e)
  expect(error).toBeInstanceOf(AgentLimitError)
  expect(error).toMatchObject({
    reason: 'max_steps',
    partial: { answer: 'So far so good.', steps: 1 },
  })
  expect(model.requests).toHaveLength(1)
})

test("onToolFailure 'fail' fails the run, naming step and call, once the retries are used up", async () => {
  let attempts = 0
  const down = defineTool({
    name: 'down',
    description: 'Use when asked.',
    input: z.object({}),
    annotations: { readOnlyHint: true },
    retry: { maximumAttempts: 2 },
    execute: () => {
      attempts++
      throw new Error('connect postgres://app:hunter2@10.0.0.5/db failed')
    },
  })
  const { client } = await startHarness({
    agents: [testAgent({ tools: [lookup, down], onToolFailure: 'fail' })],
    script: [
      callTools([
        { name: 'lookup', args: { id: 'A1' } },
        { name: 'down', args: {} },
      ]),
    ],
  })
  const run = await client.start('test-agent', { input: 'Go' })
  const error = await run.result().catch((e) => e)
  expect(error).toBeInstanceOf(AgentRunError)
  expect(error).toMatchObject({ reason: 'tool_failure', step: 1, call: 2 })
  expect(error.activityId).toMatch(/\d/)
  expect(attempts).toBe(2)
  expect(String(error)).not.toContain('hunter2')
  expect(JSON.stringify(await run.steps())).not.toContain('hunter2')
})

test('a model that refuses the request fails the run at the first answer', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    respond: () => status(401),
  })
  const error = await (await client.start('test-agent', { input: 'Go' })).result().catch((e) => e)
  expect(error).toMatchObject({ name: 'AgentRunError', reason: 'model_error', step: 1 })
  expect(String(error)).toContain('401')
  expect(model.requests).toHaveLength(1)
})

test('a model that is down for a moment is asked again by Temporal, one request an attempt', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [status(503), status(429), say('back')],
  })
  const run = await client.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({ answer: 'back', steps: 1 })
  expect(model.requests).toHaveLength(3)
  expect((await run.steps())[0]).toMatchObject({ attempts: 3 })
})
