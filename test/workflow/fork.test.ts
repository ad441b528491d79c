import { expect, test } from 'vitest'
import { z } from 'zod'
import { ForkError } from '../../src/client.js'
import { defineTool } from '../../src/index.js'
import { type ChatRequest, callTool, say, status } from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'

function payTool() {
  const keys: string[] = []
  const tool = defineTool({
    name: 'pay',
    description: 'Use when something has to be paid.',
    input: z.object({ cents: z.number() }),
    annotations: { idempotentHint: true },
    execute: ({ cents }, { idempotencyKey }) => {
      keys.push(idempotencyKey)
      return `paid ${cents}`
    },
  })
  return { tool, keys }
}

/** The texts of a request's tool messages. */
function observations(body: ChatRequest | undefined): unknown[] {
  return (body?.messages ?? []).flatMap((one) => (one.role === 'tool' ? [one.content] : []))
}

test('a run that reached its limit goes on in a fork with a higher one, from where it was', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent({ limits: { maxSteps: 2 }, onLimit: 'fail' })],
    script: [
      callTool('lookup', { id: 'A1' }),
      callTool('lookup', { id: 'A2' }),
      callTool('lookup', { id: 'A3' }),
      say('All three are there.'),
    ],
  })
  const run = await client.start('test-agent', { input: 'Are they there?' })
  await expect(run.result()).rejects.toMatchObject({ name: 'AgentLimitError' })
  const fork = await client.fork(run.id, { limits: { maxSteps: 10 } })
  expect(await fork.result()).toMatchObject({
    stopReason: 'answered',
    answer: 'All three are there.',
    steps: 4,
  })
  expect(model.requests).toHaveLength(4)
  expect((await fork.steps()).map(({ step }) => step)).toEqual([3, 4])
  const description = await client.client.workflow.getHandle(fork.id).describe()
  expect(description.memo).toMatchObject({
    perdure: { forkedFrom: { id: run.id, step: 3 }, changes: ['maxSteps 10'] },
  })
  expect(description.searchAttributes).toMatchObject({
    PerdureForkedFrom: [run.id],
    PerdureAgent: ['test-agent'],
    PerdureStopReason: ['answered'],
  })
})

test('a forced answer is taken back by a fork with more steps', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent({ limits: { maxSteps: 1 } })],
    script: [callTool('lookup', { id: 'A1' }), say('That is all.'), say('A1 is there.')],
  })
  const run = await client.start('test-agent', { input: 'Is A1 there?' })
  expect(await run.result()).toMatchObject({ stopReason: 'max_steps' })
  const fork = await client.fork(run.id, { limits: { maxSteps: 5 } })
  expect(await fork.result()).toMatchObject({ stopReason: 'answered', answer: 'A1 is there.' })
  expect(model.requests[2]?.body?.tools).toHaveLength(1)
  // Nothing in the prompt tells of the answer that was forced.
  expect(JSON.stringify(model.requests[2]?.body?.messages)).not.toContain('limit')
})

test('model, instructions, input and an observation are changed, and the prompt has them', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [callTool('lookup', { id: 'A1' }), say('It is there.'), say('It is gone.')],
  })
  const run = await client.start('test-agent', { input: 'Is A1 there?' })
  await run.result()
  const fork = await client.fork(run.id, {
    step: 2,
    model: 'other-model',
    instructions: 'Be brief.',
    input: 'Where is A1?',
    observations: { '1.1': 'A1 was sold.' },
  })
  expect(await fork.result()).toMatchObject({ answer: 'It is gone.', models: { 'other-model': 1 } })
  const { body } = model.requests[2] ?? {}
  expect(body?.model).toBe('other-model')
  expect(body?.messages.slice(0, 2)).toMatchObject([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Where is A1?' },
  ])
  expect(observations(body)).toEqual(['A1 was sold.'])
  expect(model.requests).toHaveLength(3)
})

test('a model that is out of quota: a fork with another one answers', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    respond: ({ model: name, messages }) => {
      const answered = messages.some(({ role }) => role === 'tool')
      if (!answered) return callTool('lookup', { id: 'A1' })
      return name === 'test-model' ? status(402) : say('A1 is there.')
    },
  })
  const run = await client.start('test-agent', { input: 'Is A1 there?' })
  await expect(run.result()).rejects.toMatchObject({ reason: 'model_error', step: 2 })
  const fork = await client.fork(run.id, { model: 'other-model' })
  expect(await fork.result()).toMatchObject({ stopReason: 'answered' })
  expect(model.requests.map(({ body }) => body?.model)).toEqual([
    'test-model',
    'test-model',
    'other-model',
  ])
})

test('tools that write are not run in a fork: the same call gets its recorded result, another is told', async () => {
  const pay = payTool()
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [pay.tool, lookup] })],
    script: [
      callTool('pay', { cents: 100 }),
      say('paid'),
      callTool('pay', { cents: 100 }),
      callTool('pay', { cents: 250 }),
      callTool('lookup', { id: 'A1' }),
      say('paid, in a way'),
    ],
  })
  const run = await client.start('test-agent', { input: 'Pay.' })
  await run.result()
  const fork = await client.fork(run.id, { step: 1 })
  expect(await fork.result()).toMatchObject({ answer: 'paid, in a way' })
  expect(pay.keys).toHaveLength(1)
  const seen = observations(model.requests.at(-1)?.body)
  expect(seen[0]).toBe('paid 100')
  expect(seen[1]).toContain('pay was not run')
  expect(seen[2]).toContain('"found":true')
  const steps = await fork.steps()
  expect(steps.map(({ calls }) => calls.map(({ status }) => status))).toEqual([
    ['dry'],
    ['dry'],
    ['ok'],
    [],
  ])
  expect(steps[0]?.calls[0]?.observation).toBe('paid 100')
  expect(steps[1]?.calls[0]?.observation).toContain('pay was not run')
})

test('a live fork runs them, with idempotency keys of its own', async () => {
  const pay = payTool()
  const { client } = await startHarness({
    agents: [testAgent({ tools: [pay.tool] })],
    script: [
      callTool('pay', { cents: 100 }),
      say('paid'),
      callTool('pay', { cents: 100 }),
      say('paid again'),
    ],
  })
  const run = await client.start('test-agent', { input: 'Pay.' })
  await run.result()
  const fork = await client.fork(run.id, { step: 1, live: true })
  expect(await fork.result()).toMatchObject({ answer: 'paid again' })
  const { runId } = await client.client.workflow.getHandle(fork.id).describe()
  expect(pay.keys).toHaveLength(2)
  expect(pay.keys[1]?.split('/')[0]).toBe(runId)
  expect(pay.keys[1]).not.toBe(pay.keys[0])
})

test('a fork can be forked, and fails and is retried like any run', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [
      callTool('lookup', { id: 'A1' }),
      say('first'),
      callTool('lookup', { id: 'A2' }),
      status(401),
      say('second'),
      say('third'),
    ],
  })
  const run = await client.start('test-agent', { input: 'Go' })
  await run.result()
  const fork = await client.fork(run.id, { step: 2 })
  await expect(fork.result()).rejects.toMatchObject({ reason: 'model_error', step: 3 })
  expect(await (await client.retry(fork.id)).result()).toMatchObject({ answer: 'second' })
  const second = await client.fork(fork.id, { step: 3 })
  expect(await second.result()).toMatchObject({ answer: 'third', steps: 3 })
  expect(observations(model.requests.at(-1)?.body)).toHaveLength(2)
})

test('the same fork twice is one run; what cannot be forked says why', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [callTool('lookup', { id: 'A1' }), say('done'), say('done again')],
  })
  const run = await client.start('test-agent', { input: 'Go' })
  await run.result()
  const id = `${run.id}-twin`
  const first = await client.fork(run.id, { step: 2, id })
  await first.result()
  const second = await client.fork(run.id, { step: 2, id })
  expect(second.attached).toBe(true)
  await expect(client.fork(run.id, { step: 1, id })).rejects.toThrow('exists')
  expect(model.requests).toHaveLength(3)

  const tooFar = client.fork(run.id, { step: 7 })
  await expect(tooFar).rejects.toThrow(ForkError)
  await expect(tooFar).rejects.toThrow('It can be forked before steps 1 to 2')
  const noCall = client.fork(run.id, { step: 2, observations: { '1.2': 'x' } })
  await expect(noCall).rejects.toThrow('Its observations: 1.1 (lookup)')
  await expect(client.fork(run.id, { step: 0 })).rejects.toThrow('whole number')
  await expect(client.fork('nothing')).rejects.toThrow('There is no run')
  const bad = await client.start('nobody', { input: 'Go' })
  await expect(bad.result()).rejects.toThrow()
  await expect(client.fork(bad.id)).rejects.toThrow('It never began')
})
