import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { AgentRunError, RetryError } from '../../src/client.js'
import { defineTool } from '../../src/index.js'
import { callTool, callTools, hang, say, status } from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'

/** A tool that is down until it is mended, and tells the keys of its calls. */
function switched(name: string, annotations: { readonly idempotentHint?: boolean } = {}) {
  const keys: string[] = []
  const state = { isDown: true }
  const tool = defineTool({
    name,
    description: 'Use when the test says so.',
    input: z.object({ cents: z.number() }),
    annotations,
    retry: { maximumAttempts: 1 },
    execute: (_, { idempotencyKey }) => {
      keys.push(idempotencyKey)
      if (state.isDown) throw new TypeError('down')
      return 'done'
    },
  })
  return { tool, keys, state }
}

const OUT_OF_QUOTA = status(429, { body: { error: { code: 'insufficient_quota', message: 'no' } } })

test('a model out of quota: the retry repeats the failed step alone', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [callTool('lookup', { id: 'A1' }), OUT_OF_QUOTA, say('A1 is there.')],
  })
  const run = await client.start('test-agent', { input: 'Is A1 there?' })
  await expect(run.result()).rejects.toThrow(AgentRunError)
  const plan = await client.planRetry(run.id)
  expect(plan).toMatchObject({
    step: 2,
    again: [{ kind: 'model', name: 'test-model', step: 2, was: 'failed' }],
  })
  expect(plan.why).toContain('model_error')
  const again = await client.retry(run.id)
  expect(await again.result()).toMatchObject({ stopReason: 'answered', answer: 'A1 is there.' })
  // The step of the tool is neither asked for nor run again.
  expect(model.requests).toHaveLength(3)
  const steps = await client.get(run.id).steps()
  expect(steps.map(({ step, status }) => [step, status])).toEqual([
    [1, 'done'],
    [2, 'done'],
  ])
})

test('a tool that is down for longer than its retries: the retry runs it again with the same key', async () => {
  const pay = switched('pay', { idempotentHint: true })
  const sibling = switched('note')
  sibling.state.isDown = false
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [pay.tool, sibling.tool, lookup], onToolFailure: 'fail' })],
    script: [
      callTool('lookup', { id: 'A1' }),
      callTools([
        { name: 'note', args: { cents: 1 } },
        { name: 'pay', args: { cents: 100 } },
      ]),
      say('paid'),
    ],
  })
  const run = await client.start('test-agent', { input: 'Pay.' })
  await expect(run.result()).rejects.toMatchObject({ reason: 'tool_failure', step: 2, call: 2 })
  const { again, step } = await client.planRetry(run.id)
  expect(step).toBe(2)
  expect(again.find(({ name }) => name === 'pay')).toEqual({
    kind: 'write',
    name: 'pay',
    step: 2,
    args: { cents: 100 },
    was: 'failed',
    idempotent: true,
  })
  // The sibling shares the workflow task, so it is told of, finished or not.
  expect(again.find(({ name }) => name === 'note')).toMatchObject({
    kind: 'write',
    idempotent: false,
  })
  pay.state.isDown = false
  const retried = await client.retry(run.id)
  expect(await retried.result()).toMatchObject({ stopReason: 'answered', answer: 'paid' })
  expect(new Set(pay.keys).size).toBe(1)
  expect(new Set(sibling.keys).size).toBe(1)
  expect(model.requests).toHaveLength(3)
})

test('a run that was terminated goes on with the call that was under way', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [callTool('lookup', { id: 'A1' }), hang(), say('A1 is there.')],
  })
  const run = await client.start('test-agent', { input: 'Is A1 there?' })
  await model.waitFor(2)
  await client.client.workflow.getHandle(run.id).terminate('by mistake')
  await expect(run.result()).rejects.toMatchObject({ reason: 'terminated' })
  expect(await client.planRetry(run.id)).toMatchObject({
    why: 'terminated',
    step: 2,
    again: [{ kind: 'model', step: 2, was: 'open' }],
  })
  const again = await client.retry(run.id)
  expect(await again.result()).toMatchObject({ stopReason: 'answered', answer: 'A1 is there.' })
  expect(model.requests).toHaveLength(3)
})

test('a definition that was bad is read again', async () => {
  const { client, startWorker, model } = await startHarness({
    agents: [testAgent()],
    script: [say('done')],
    withWorker: false,
  })
  const old = await startWorker()
  const run = await client.start('newcomer', { input: 'Go' })
  await expect(run.result()).rejects.toMatchObject({ reason: 'definition_error' })
  await old.stop()
  await startWorker({ agents: [testAgent({ name: 'newcomer' })] })
  expect(await client.planRetry(run.id)).toMatchObject({ step: 0, again: [] })
  expect(await (await client.retry(run.id)).result()).toMatchObject({ answer: 'done' })
  expect(model.requests).toHaveLength(1)
})

test('what a reset cannot mend is refused, and nothing is reset', async () => {
  const { client } = await startHarness({
    agents: [
      testAgent({ limits: { maxSteps: 1 }, onLimit: 'fail' }),
      testAgent({ name: 'patient' }),
    ],
    script: [callTool('lookup', { id: 'A1' }), say('done'), hang()],
  })
  const limited = await client.start('test-agent', { input: 'Go' })
  await expect(limited.result()).rejects.toMatchObject({ name: 'AgentLimitError' })
  const refused = client.retry(limited.id)
  await expect(refused).rejects.toThrow(RetryError)
  await expect(refused).rejects.toMatchObject({ reason: 'limit' })
  await expect(refused).rejects.toThrow(`perdure fork ${limited.id} --limits max-steps=N`)

  const answered = await client.start('patient', { input: 'Go' })
  await answered.result()
  await expect(client.retry(answered.id)).rejects.toMatchObject({ reason: 'completed' })

  const open = await client.start('patient', { input: 'Go on' })
  await expect(client.retry(open.id)).rejects.toMatchObject({ reason: 'open' })
  await open.cancel()
  await expect(open.result()).rejects.toThrow('cancelled')
  await expect(client.retry(open.id)).rejects.toMatchObject({ reason: 'cancelled' })
  await expect(client.retry('nothing')).rejects.toThrow('There is no run')
})

test('two retries at once reset once', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [status(401), say('done')],
  })
  const run = await client.start('test-agent', { input: 'Go' })
  await expect(run.result()).rejects.toThrow()
  const plan = await client.planRetry(run.id)
  const first = await client.retry(run.id, plan)
  const second = await client.retry(run.id, plan)
  expect(await first.result()).toMatchObject({ answer: 'done' })
  expect(await second.result()).toMatchObject({ answer: 'done' })
  expect(model.requests).toHaveLength(2)
})

test('a bug in the loop: the stuck run is told of, and goes on by itself once it is mended', async () => {
  const mended = readFileSync(inject('temporal').bundle, 'utf8')
  // After the calls of a step, before anything of them is in the state.
  const code = mended.replace(/const notes = .*recordStep.*;/, "throw new TypeError('a bug');")
  expect(code).not.toBe(mended)
  const { client, model, startWorker } = await startHarness({
    agents: [testAgent()],
    script: [callTool('lookup', { id: 'A1' }), say('A1 is there.')],
    withWorker: false,
  })
  const buggy = await startWorker({ worker: { workflowBundle: { code } } })
  const run = await client.start('test-agent', { input: 'Is A1 there?' })
  await expect
    .poll(() => client.retry(run.id).catch((error: unknown) => error), { timeout: 30_000 })
    .toMatchObject({
      name: 'RetryError',
      reason: 'stuck',
      message: expect.stringContaining('a bug'),
    })
  await buggy.stop()
  await startWorker()
  expect(await run.result()).toMatchObject({ stopReason: 'answered', answer: 'A1 is there.' })
  expect(model.requests).toHaveLength(2)
})

test('a stuck run that was terminated goes on without a finished call being made again', async () => {
  const mended = readFileSync(inject('temporal').bundle, 'utf8')
  const code = mended.replace(/const notes = .*recordStep.*;/, "throw new TypeError('a bug');")
  const note = switched('note')
  note.state.isDown = false
  const { client, model, startWorker } = await startHarness({
    agents: [testAgent({ tools: [note.tool] })],
    script: [callTool('note', { cents: 1 }), say('noted')],
    withWorker: false,
  })
  const buggy = await startWorker({ worker: { workflowBundle: { code } } })
  const run = await client.start('test-agent', { input: 'Note it.' })
  await expect
    .poll(() => client.retry(run.id).catch((error: unknown) => error), { timeout: 30_000 })
    .toMatchObject({ reason: 'stuck' })
  await buggy.stop()
  await client.client.workflow.getHandle(run.id).terminate('stuck')
  await startWorker()
  expect(await client.planRetry(run.id)).toMatchObject({ again: [] })
  expect(await (await client.retry(run.id)).result()).toMatchObject({ answer: 'noted' })
  expect(note.keys).toHaveLength(1)
  expect(model.requests).toHaveLength(2)
})
