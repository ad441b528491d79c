import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  AgentRunError,
  InputMismatchError,
  InvalidInputError,
  RunNotFoundError,
  RunOpenError,
} from '../../src/client.js'
import { defineTool } from '../../src/index.js'
import { callTool, callTools, hang, say } from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'

test('a run calls tools, hands the observations to the model and answers', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [callTool('lookup', { id: 'A1' }), say('A1 is there.')],
  })
  const run = await client.start('test-agent', { input: 'Is A1 there?' })
  const result = await run.result()
  expect(result).toMatchObject({ answer: 'A1 is there.', stopReason: 'answered', steps: 2 })
  expect(result.usage.modelCalls).toBe(2)
  expect(result.usage.totalTokens).toBeGreaterThan(0)
  expect(model.requests.map(({ body }) => body?.messages.map(({ role }) => role))).toEqual([
    ['system', 'user'],
    ['system', 'user', 'assistant', 'tool'],
  ])
  expect(model.requests[1]?.body?.messages.at(-1)?.content).toBe('{"id":"A1","found":true}')
})

test('starting twice with one id makes one run, open or closed', async () => {
  const { client, model } = await startHarness({ agents: [testAgent()], script: [say('once')] })
  const id = `once-${randomUUID()}`
  const start = () => client.start('test-agent', { input: 'Hello', context: { a: 1, b: 2 }, id })
  const runs = await Promise.all(Array.from({ length: 10 }, start))
  expect(runs.filter(({ attached }) => !attached)).toHaveLength(1)
  await Promise.all(runs.map((run) => run.result()))
  // The order of keys makes no other context.
  const later = await client.start('test-agent', { input: 'Hello', context: { b: 2, a: 1 }, id })
  expect(later.attached).toBe(true)
  expect(await later.result()).toMatchObject({ answer: 'once' })
  expect(model.requests).toHaveLength(1)
})

test('an id that was started with another input is refused, open or closed', async () => {
  const { client } = await startHarness({ agents: [testAgent()], script: [say('once')] })
  const id = `mismatch-${randomUUID()}`
  const run = await client.start('test-agent', { input: 'Hello', id })
  const other = () => client.start('test-agent', { input: 'Bye', id })
  await expect(other()).rejects.toThrow(InputMismatchError)
  await run.result()
  await expect(other()).rejects.toThrow(InputMismatchError)
  const context = client.start('test-agent', { input: 'Hello', context: { a: 1 }, id })
  await expect(context).rejects.toThrow(InputMismatchError)
})

test("onExisting 'new' starts a new run of a closed id and refuses an open one", async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [say('first'), hang(), say('second')],
  })
  const id = `new-${randomUUID()}`
  const start = (input: string) => client.start('test-agent', { input, id, onExisting: 'new' })
  const first = await start('one')
  expect(await first.result()).toMatchObject({ answer: 'first' })
  const second = await start('two')
  await model.waitFor(2)
  await expect(start('three')).rejects.toThrow(RunOpenError)
  expect(second.attached).toBe(false)
  // Each handle means its own run.
  expect(await first.result()).toMatchObject({ answer: 'first' })
  await second.cancel()
})

test('an unknown agent fails the run at once, naming the agents of the worker', async () => {
  const { client, model } = await startHarness({ agents: [testAgent()], script: [] })
  const run = await client.start('nobody', { input: 'Hello' })
  const error = await run.result().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AgentRunError)
  expect(error).toMatchObject({ reason: 'definition_error', step: 0 })
  expect(String(error)).toContain('no agent "nobody". Its agents: test-agent.')
  expect(model.requests).toHaveLength(0)
})

test("a context that does not fit the agent's schema fails the run, naming the field", async () => {
  const context = z.object({ customerId: z.string() })
  const { client } = await startHarness({ agents: [testAgent({ context })], script: [] })
  const run = await client.start('test-agent', { input: 'Hello', context: { customerId: 7 } })
  await expect(run.result()).rejects.toThrow(/context\.customerId/)
})

test('the context reaches the tools and never the prompt', async () => {
  const seen: unknown[] = []
  const who = defineTool({
    name: 'who',
    description: 'Use when asked who is asking.',
    input: z.object({}),
    context: z.object({ customerId: z.string() }),
    execute: (_, { context }) => {
      seen.push(context.customerId)
      return 'ok'
    },
  })
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [who] })],
    script: [callTool('who', {}), say('done')],
  })
  const context = { customerId: 'secret-customer' }
  await (await client.start('test-agent', { input: 'Who am I?', context })).result()
  expect(seen).toEqual(['secret-customer'])
  expect(JSON.stringify(model.requests.map(({ body }) => body))).not.toContain('secret-customer')
})

test('bad input is refused before anything is started', async () => {
  const { client } = await startHarness({ agents: [testAgent()], script: [], withWorker: false })
  await expect(client.start('test-agent', { input: '  ' })).rejects.toThrow(InvalidInputError)
  await expect(client.start('', { input: 'x' })).rejects.toThrow(InvalidInputError)
  const large = client.start('test-agent', { input: 'x'.repeat(1_100_000) })
  await expect(large).rejects.toThrow(/1000000 at most/)
})

test('a run that does not exist is named by every function of its handle', async () => {
  const { client } = await startHarness({ agents: [testAgent()], script: [], withWorker: false })
  const run = client.get(`none-${randomUUID()}`)
  await expect(run.result()).rejects.toThrow(RunNotFoundError)
  await expect(run.status()).rejects.toThrow(RunNotFoundError)
  await expect(run.steps()).rejects.toThrow(RunNotFoundError)
  await expect(run.cancel()).rejects.toThrow(RunNotFoundError)
  await expect(run.watch().next()).rejects.toThrow(RunNotFoundError)
})

test('steps and status are read without a worker, during a run and after it', async () => {
  const { client, model, startWorker } = await startHarness({
    agents: [testAgent()],
    script: [
      callTools([
        { name: 'lookup', args: { id: 'A1' } },
        { name: 'nope', args: {} },
      ]),
      hang(),
    ],
    withWorker: false,
  })
  const worker = await startWorker()
  const run = await client.start('test-agent', { input: 'Hello' })
  await model.waitFor(2)
  expect((await run.status()).progress).toMatchObject({ agent: 'test-agent', step: 2 })
  await worker.stop()
  const steps = await run.steps()
  expect(steps.map(({ status }) => status)).toEqual(['done', 'calling_model'])
  expect(steps[0]?.calls.map(({ name, status }) => [name, status])).toEqual([
    ['lookup', 'ok'],
    ['nope', 'refused'],
  ])
  expect(steps[0]?.calls[0]).toMatchObject({ args: { id: 'A1' }, attempts: 1 })
  expect(await run.status()).toMatchObject({ status: 'running', progress: null, closedAt: null })
})

test('watch tells each step as it changes and ends with the run', async () => {
  const { client } = await startHarness({
    agents: [testAgent()],
    script: [callTool('lookup', { id: 'A1' }), say('done')],
  })
  const run = await client.start('test-agent', { input: 'Hello' })
  const seen: string[] = []
  for await (const { step, status } of run.watch()) seen.push(`${step} ${status}`)
  expect(seen).toEqual([
    '1 calling_model',
    '1 calling_tools',
    '1 done',
    '2 calling_model',
    '2 done',
  ])
})

test('priority and fairness key are handed to Temporal', async () => {
  const { client } = await startHarness({ agents: [testAgent()], script: [], withWorker: false })
  const run = await client.start('test-agent', { input: 'x', priority: 2, fairnessKey: 'tenant-7' })
  const { priority } = await client.client.workflow.getHandle(run.id).describe()
  expect(priority).toMatchObject({ priorityKey: 2, fairnessKey: 'tenant-7' })
})

test('runs of an agent are listed, the newest first', async () => {
  const name = `listed-${randomUUID()}`
  const { client } = await startHarness({
    agents: [testAgent({ name, tools: [lookup] })],
    respond: () => say('done'),
  })
  const ids: string[] = []
  for (const input of ['one', 'two']) {
    const run = await client.start(name, { input })
    await run.result()
    ids.unshift(run.id)
  }
  await expect
    .poll(
      async () => {
        const listed = []
        for await (const run of client.list({ agent: name })) listed.push(run)
        return listed.map(({ id, status, stopReason }) => ({ id, status, stopReason }))
      },
      { timeout: 10_000 },
    )
    .toEqual(ids.map((id) => ({ id, status: 'completed', stopReason: 'answered' })))
})
