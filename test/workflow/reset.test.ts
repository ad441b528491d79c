import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import { callTool, hang, type Reply, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'

/** A write tool that tells which keys it was called with, in order. */
function payTool(keys: string[]) {
  return defineTool({
    name: 'pay',
    description: 'Use when something has to be paid.',
    input: z.object({ cents: z.number() }),
    annotations: { idempotentHint: true },
    execute: (_, { idempotencyKey }) => {
      keys.push(idempotencyKey)
      return 'paid'
    },
  })
}

/** Resets a run to the workflow task that scheduled the first activity of a type. */
async function resetTo(client: Client, workflowId: string, activityType: string): Promise<string> {
  const handle = client.workflow.getHandle(workflowId)
  const { events } = await handle.fetchHistory()
  const scheduled = events?.find(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === activityType,
  )
  const { runId } = await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId: (await handle.describe()).runId },
    workflowTaskFinishEventId:
      scheduled?.activityTaskScheduledEventAttributes?.workflowTaskCompletedEventId ?? null,
    reason: 'test',
    requestId: randomUUID(),
  })
  return runId
}

async function runAndReset(
  script: readonly Reply[],
  activityType: string,
): Promise<{ keys: string[]; origin: string; requests: number }> {
  const keys: string[] = []
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [payTool(keys)] })],
    script: [...script],
  })
  const run = await client.start('test-agent', { input: 'Pay.' })
  await run.result()
  const origin = (await client.client.workflow.getHandle(run.id).describe()).runId
  const runId = await resetTo(client.client, run.id, activityType)
  await client.client.workflow.getHandle(run.id, runId).result()
  return { keys, origin, requests: model.requests.length }
}

test('a reset keeps the idempotency key of the same call, and does not ask the model again', async () => {
  const script = [callTool('pay', { cents: 100 }), say('paid'), say('paid, still')]
  const { keys, origin, requests } = await runAndReset(script, 'pay')
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
  // The run id of the first execution, which a reset does not change.
  expect(keys[0]).toMatch(new RegExp(`^${origin}/1\\.1\\.1/[0-9a-f]{16}$`))
  expect(requests).toBe(3)
})

test('a model that is asked again after a reset and calls otherwise gets another key', async () => {
  const script = [
    callTool('pay', { cents: 100 }),
    say('paid'),
    callTool('pay', { cents: 250 }),
    say('paid more'),
  ]
  const { keys } = await runAndReset(script, 'callModel')
  expect(keys).toHaveLength(2)
  expect(keys[1]).not.toBe(keys[0])
})

test('after a reset, result and steps are those of the run that goes on', async () => {
  const { client } = await startHarness({
    agents: [testAgent({ tools: [payTool([])] })],
    script: [callTool('pay', { cents: 100 }), say('first'), say('second')],
  })
  const run = await client.start('test-agent', { input: 'Pay.' })
  expect(await run.result()).toMatchObject({ answer: 'first' })
  await resetTo(client.client, run.id, 'pay')
  const newest = client.get(run.id)
  expect(await newest.result()).toMatchObject({ answer: 'second' })
  expect((await newest.steps()).map(({ text }) => text)).toEqual(['', 'second'])
  const attached = await client.start('test-agent', { input: 'Pay.', id: run.id })
  expect(await attached.result()).toMatchObject({ answer: 'second' })
})

test('a handle follows its run when that is reset while it is open', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [payTool([])] })],
    script: [callTool('pay', { cents: 100 }), hang(), say('after all')],
  })
  const run = await client.start('test-agent', { input: 'Pay.' })
  await model.waitFor(2)
  const result = run.result()
  await resetTo(client.client, run.id, 'pay')
  expect(await result).toMatchObject({ answer: 'after all' })
})
