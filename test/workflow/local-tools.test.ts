import { expect, test } from 'vitest'
import { z } from 'zod'
import { DefinitionError, defineTool, ToolError } from '../../src/index.js'
import { callTools, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { createGate } from '../kit/gate.js'
import { startHarness } from '../kit/harness.js'
import { timelineOf } from '../kit/timeline.js'

const base = {
  description: 'Use when the test says so.',
  input: z.object({ id: z.string() }),
  annotations: { readOnlyHint: true },
  local: true,
}

test('a local tool is a marker in the history, and a call like any other for everyone who reads it', async () => {
  const keys: string[] = []
  let attempts = 0
  const quick = defineTool({
    ...base,
    name: 'quick',
    sensitive: ['id'],
    execute: async ({ id }, { idempotencyKey }) => {
      keys.push(idempotencyKey)
      await new Promise((resolve) => setTimeout(resolve, 50))
      return { id, found: true }
    },
  })
  const flaky = defineTool({
    ...base,
    name: 'flaky',
    execute: ({ id }) => {
      if (++attempts < 2) throw new TypeError('flaky')
      return `${id} at last`
    },
  })
  const plain = defineTool({ ...base, local: false, name: 'plain', execute: ({ id }) => id })
  const args = { id: 'A1' }
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [quick, flaky, plain] })],
    script: [
      callTools(['quick', 'flaky', 'plain'].map((name) => ({ name, args }))),
      callTools([{ name: 'quick', args: { id: 'A2' } }]),
      say('done'),
    ],
  })
  const run = await client.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({ stopReason: 'answered', steps: 3 })
  const { events } = await client.client.workflow.getHandle(run.id).fetchHistory()
  const tools = timelineOf(events).filter(({ type }) => type !== 'callModel')
  expect(tools.toSorted((a, b) => (a.type < b.type ? -1 : 1))).toEqual([
    { type: 'flaky', summary: 'step 1 · {id: "A1"}', local: true },
    { type: 'plain', summary: 'step 1 · {id: "A1"}', local: false },
    { type: 'quick', summary: 'step 1 · {id: •••}', local: true },
    { type: 'quick', summary: 'step 2 · {id: •••}', local: true },
  ])
  const [first, second] = await run.steps()
  expect(first).toMatchObject({ status: 'done' })
  expect(first?.calls).toMatchObject([
    { name: 'quick', status: 'ok', observation: '{"id":"A1","found":true}', attempts: 1 },
    { name: 'flaky', status: 'ok', observation: 'A1 at last', attempts: 2 },
    { name: 'plain', status: 'ok', observation: 'A1', attempts: 1 },
  ])
  // What it took, and with what it waited for its second attempt.
  expect(first?.calls[0]?.ms).toBeGreaterThanOrEqual(49)
  expect(first?.calls[1]?.ms).toBeGreaterThanOrEqual(999)
  expect(second?.calls).toMatchObject([{ name: 'quick', status: 'ok', attempts: 1 }])
  expect(keys.map((key) => key.split('/').slice(0, 2).join('/'))).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36}\/1\.1\.1$/),
    expect.stringMatching(/^[0-9a-f-]{36}\/1\.2\.1$/),
  ])
  const observations = model.requests[1]?.body.messages.slice(-3).map(({ content }) => content)
  expect(observations).toEqual(['{"id":"A1","found":true}', 'A1 at last', 'A1'])
})

test('local tools that fail or take too long are told by their own calls, whichever ends first', async () => {
  const failed = createGate()
  const both = defineTool({
    ...base,
    name: 'both',
    retry: { maximumAttempts: 1 },
    execute: async ({ id }) => {
      if (id === 'none') throw new ToolError('There is no such order.')
      if (id !== 'bad') {
        await failed.opened
        return `${id} found`
      }
      setTimeout(failed.open, 100)
      throw new TypeError('at postgres://app:hunter2@db')
    },
  })
  const slow = defineTool({
    ...base,
    name: 'slow',
    timeout: '300ms',
    retry: { maximumAttempts: 1 },
    execute: (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  })
  const calls = ['A1', 'bad', 'none', 'A2'].map((id) => ({ name: 'both', args: { id } }))
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [both, slow] })],
    script: [callTools([...calls, { name: 'slow', args: { id: 'A3' } }]), say('done')],
  })
  const run = await client.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({ stopReason: 'answered' })
  const told = model.requests[1]?.body.messages.slice(-5).map(({ content }) => `${content}`)
  expect(told?.[0]).toBe('A1 found')
  expect(told?.[1]).toContain('both failed unexpectedly')
  expect(told?.[2]).toContain('There is no such order.')
  expect(told?.[3]).toBe('A2 found')
  expect(told?.[4]).toContain('"error_type":"timeout"')
  const [first] = await run.steps()
  expect(first).toMatchObject({ status: 'done' })
  expect(first?.calls.map(({ status }) => status)).toEqual(['ok', 'error', 'error', 'ok', 'error'])
  expect(first?.calls[1]?.observation).toContain('both threw TypeError')
  expect(JSON.stringify(first)).not.toContain('hunter2')
})

test('a write cannot be local', () => {
  const write = { ...base, name: 'write', execute: () => 'written' }
  for (const annotations of [{}, { idempotentHint: true }]) {
    expect(() => defineTool({ ...write, annotations })).toThrow(DefinitionError)
  }
})
