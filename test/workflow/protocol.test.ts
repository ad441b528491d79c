import { randomUUID } from 'node:crypto'
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client'
import type { ApplicationFailure } from '@temporalio/common'
import { expect, test } from 'vitest'
import type { ToolCallInput } from '../../src/contract/activities.js'
import { defineRemoteTool, defineTool } from '../../src/index.js'
import { callTool, type Reply, say, status } from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { createGate } from '../kit/gate.js'
import { startHarness } from '../kit/harness.js'
import { misfits } from '../kit/protocol.js'

// What docs/protocol.schema.json says, held against runs that are started as another language would.

const agents = [
  testAgent(),
  testAgent({ name: 'strict', limits: { maxSteps: 1 }, onLimit: 'fail' }),
  testAgent({
    name: 'proud',
    onToolFailure: 'fail',
    tools: [
      defineTool({
        name: 'broken',
        description: 'Use when the test says so.',
        input: lookup.input,
        execute: () => {
          throw new Error('no')
        },
      }),
    ],
  }),
]

async function start(script: readonly Reply[], input: object | null) {
  const { client, taskQueue, model } = await startHarness({ agents, script: [...script] })
  const handle = await client.client.workflow.start('agent', {
    workflowId: `protocol-${randomUUID()}`,
    taskQueue,
    args: [input],
  })
  return { client, handle, model }
}

async function failureOf(handle: WorkflowHandle): Promise<ApplicationFailure> {
  const error: unknown = await handle.result().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(WorkflowFailedError)
  return (error as WorkflowFailedError).cause as ApplicationFailure
}

test('an input without context or memo starts a run whose result fits, and which is found and read', async () => {
  const input = { agent: 'test-agent', input: 'Go' }
  expect(misfits('RunInput', input)).toEqual([])
  const script = [callTool('lookup', { id: 'A1' }), say('cut', { finishReason: 'length' })]
  const { client, handle } = await start(script, input)
  const result = await handle.result()
  expect(misfits('RunResult', result)).toEqual([])
  expect(result).toMatchObject({ answer: 'cut', truncated: true })
  expect(await client.get(handle.workflowId).steps()).toHaveLength(2)
  // The newest come first, and other tests start theirs beside this one.
  const isListed = async () => {
    let seen = 0
    for await (const { id } of client.list({ agent: 'test-agent' })) {
      if (id === handle.workflowId) return true
      if (++seen === 500) return false
    }
    return false
  }
  await expect.poll(isListed, { timeout: 20_000 }).toBe(true)
})

test('the progress of a run that is under way fits', async () => {
  const gate = createGate()
  const slow = defineTool({
    name: 'slow',
    description: 'Use when the test says so.',
    input: lookup.input,
    execute: () => gate.opened,
  })
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [slow] })],
    script: [callTool('slow', { id: 'A1' }), say('done')],
  })
  const run = await client.start('test-agent', { input: 'Go' })
  await model.waitFor(1)
  const progress = await client.client.workflow.getHandle(run.id).query('status')
  expect(misfits('RunProgress', progress)).toEqual([])
  gate.open()
  await run.result()
})

test.each<[string, readonly Reply[], object | null]>([
  ['model_error', [status(401)], { agent: 'test-agent', input: 'Go', context: null }],
  ['tool_failure', [callTool('broken', { id: 'A1' })], { agent: 'proud', input: 'Go' }],
  ['definition_error', [], { agent: 'nobody', input: 'Go' }],
  ['definition_error', [], { agent: 'test-agent', question: 'Go' }],
  ['definition_error', [], null],
])('the details of a run that fails with %s (row %#) fit', async (reason, script, input) => {
  const { handle } = await start(script, input)
  const { type, details } = await failureOf(handle)
  expect(type).toBe('AgentRunError')
  expect(misfits('RunFailureDetail', details?.[0])).toEqual([])
  expect(details?.[0]).toMatchObject({ reason })
})

test('the details of a run that fails at a limit fit', async () => {
  const { handle } = await start([callTool('lookup', { id: 'A1' })], {
    agent: 'strict',
    input: 'Go',
  })
  const { type, details } = await failureOf(handle)
  expect(type).toBe('AgentLimitError')
  expect(misfits('LimitFailureDetail', details?.[0])).toEqual([])
})

test('the memo of a run that our client started fits', async () => {
  const { client } = await startHarness({ agents, script: [say('done')] })
  const run = await client.start('test-agent', { input: 'Go' })
  const { memo } = await client.client.workflow.getHandle(run.id).describe()
  expect(misfits('RunMemo', memo?.['perdure'])).toEqual([])
  await run.result()
})

test('what a remote tool gets fits, and what it returns reaches the model as its steps show it', async () => {
  const got: ToolCallInput[] = []
  const taskQueue = `stock-${randomUUID()}`
  const remote = defineRemoteTool({
    name: 'stock',
    description: 'Use when the test says so.',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    taskQueue,
  })
  const { client, model, startWorker } = await startHarness({
    agents: [testAgent({ tools: [remote, lookup] })],
    script: [
      callTool('stock', { id: 'A1' }),
      callTool('lookup', { id: 'A1' }),
      callTool('stock', { id: 7 }),
      say('done'),
    ],
  })
  const stock = (input: ToolCallInput) => {
    got.push(input)
    return [{ pieces: 12, note: 'x'.repeat(5_000) }]
  }
  await startWorker({ taskQueue, worker: { activities: { stock } } })
  const run = await client.start('test-agent', { input: 'Go', context: { customerId: 'c7' } })
  expect(await run.result()).toMatchObject({ answer: 'done', steps: 4 })
  expect(got.map((input) => misfits('ToolCallInput', input))).toEqual([[]])
  expect(got).toMatchObject([{ args: { id: 'A1' }, context: { customerId: 'c7' } }])
  const told = model.requests.at(-1)?.body?.messages.filter(({ role }) => role === 'tool')
  expect(told?.[0]?.content).toMatch(/^\[\{"pieces":12,"note":"x+\n\[… \d+ of \d+ .* …\]\nx+"\}\]$/)
  const calls = (await run.steps()).flatMap((step) => step.calls)
  expect(calls.map(({ observation }) => observation)).toEqual(told?.map(({ content }) => content))
  expect(calls.map((call) => call.status)).toEqual(['ok', 'ok', 'refused'])
})
