import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import { callTool, callTools, delay, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { timelineOf } from '../kit/timeline.js'

type CacheOption = Parameters<typeof defineTool>[0]['cache']

/** A read-only tool that answers with the number of its execution. */
function counting(cache: NonNullable<CacheOption>) {
  const ran: string[] = []
  const tool = defineTool({
    name: 'look_up',
    description: 'Use when an order is asked for.',
    input: z.object({ id: z.string(), at: z.int().optional() }),
    annotations: { readOnlyHint: true },
    volatileFields: ['at'],
    cache,
    execute: ({ id }) => {
      ran.push(id)
      return `${id}, read ${ran.length}`
    },
  })
  return { tool, ran }
}

const change = defineTool({
  name: 'change',
  description: 'Use when an order is to be changed.',
  input: z.object({ id: z.string() }),
  invalidates: ['look_up'],
  execute: () => 'changed',
})

test('12 % duplicate calls are answered from state, marked in the steps, and cost no activity', async () => {
  const { tool, ran } = counting('turn')
  // Two calls in each of 25 steps; six of the fifty were made before, each of them once.
  const before = new Map([9, 17, 25, 33, 41, 49].map((place) => [place, place - 7]))
  const ids = Array.from({ length: 50 }, (_, i) => `A${before.get(i) ?? i}`)
  const duplicates = ids.flatMap((id, i) => (ids.indexOf(id) < i ? [i] : []))
  expect(duplicates).toHaveLength(6)
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [tool], limits: { maxSteps: 30 } })],
    respond: (_, { index }) =>
      index < 25
        ? callTools(
            [0, 1].map((i) => ({ name: 'look_up', args: { id: ids[2 * index + i] ?? '', at: i } })),
          )
        : say('done'),
  })
  const run = await client.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({ stopReason: 'answered', steps: 26 })
  expect(ran.toSorted()).toEqual([...new Set(ids)].toSorted())
  const { events } = await client.client.workflow.getHandle(run.id).fetchHistory()
  expect(timelineOf(events).filter(({ type }) => type === 'look_up')).toHaveLength(44)
  const calls = (await run.steps()).flatMap((step) => step.calls)
  expect(calls.flatMap(({ status }, i) => (status === 'cached' ? [i] : []))).toEqual(duplicates)
  for (const place of duplicates) {
    const first = calls.find(({ args }) => args['id'] === ids[place])
    expect(calls[place]).toMatchObject({ observation: first?.observation, attempts: 0, ms: 0 })
  }
  // What the model reads is what it would have read.
  const observations = model.requests.flatMap(({ body }) => body.messages.slice(-2))
  const read = observations.filter(({ role }) => role === 'tool').map(({ content }) => `${content}`)
  expect(read.map((text) => text.split(',')[0])).toEqual(ids)
})

test('a write that names a tool makes its results worthless; two of a kind beside each other are one', async () => {
  const { tool, ran } = counting('run')
  const again = { name: 'look_up', args: { id: 'A1' } }
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [tool, change], limits: { maxSteps: 10 } })],
    script: [
      callTools([again, again]),
      callTools([again, { name: 'look_up', args: { id: 'A2' } }]),
      callTool('change', { id: 'A1' }),
      callTool('look_up', { id: 'A1' }),
      say('done'),
    ],
  })
  const run = await client.start('test-agent', { input: 'Go' })
  await run.result()
  expect(ran).toEqual(['A1', 'A2', 'A1'])
  const steps = await run.steps()
  expect(steps.map(({ calls }) => calls.map(({ status }) => status))).toEqual([
    ['ok', 'cached'],
    ['cached', 'ok'],
    ['ok'],
    ['ok'],
    [],
  ])
  expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toBe('A1, read 3')
})

test('a result that is older than its time is read anew', async () => {
  const { tool, ran } = counting('200ms')
  const { client } = await startHarness({
    agents: [testAgent({ tools: [tool] })],
    script: [
      callTool('look_up', { id: 'A1' }),
      delay(500, callTool('look_up', { id: 'A1' })),
      say('done'),
    ],
  })
  await (await client.start('test-agent', { input: 'Go' })).result()
  expect(ran).toEqual(['A1', 'A1'])
})

test('a tool is not run more often than maxCalls says, and the model is told', async () => {
  let ran = 0
  const scarce = defineTool({
    name: 'scarce',
    description: 'Use when the test says so.',
    input: z.object({ n: z.int() }),
    annotations: { readOnlyHint: true },
    maxCalls: 2,
    execute: ({ n }) => `${n}, run ${++ran}`,
  })
  const call = (n: number) => ({ name: 'scarce', args: { n } })
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [scarce] })],
    script: [callTool('scarce', { n: 1 }), callTools([call(2), call(3)]), say('done')],
  })
  const run = await client.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({ stopReason: 'answered' })
  expect(ran).toBe(2)
  const observations = model.requests.at(-1)?.body.messages.slice(-2)
  expect(observations?.map(({ content }) => content)).toEqual([
    '2, run 2',
    expect.stringContaining('"error_type":"call_limit"'),
  ])
  const [, second] = await run.steps()
  expect(second?.calls.map(({ status }) => status)).toEqual(['ok', 'refused'])
})
