import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import { type ChatRequest, callTool, callTools, say } from '../../src/testing/index.js'
import { openStage } from '../cases/kit.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { startOwnServer } from '../kit/own-server.js'

test('a run continues as new at step boundaries when the server suggests it, losing nothing', async () => {
  // The default is 4,096 events, 340 steps.
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 40 }
  const server = await startOwnServer({ dynamicConfig })
  const keys: string[] = []
  const note = defineTool({
    name: 'note',
    description: 'Use when the test says so.',
    input: z.object({ n: z.number() }),
    annotations: { idempotentHint: true },
    execute: ({ n }, { idempotencyKey }) => {
      keys.push(idempotencyKey)
      return `noted ${n}`
    },
  })
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [note], limits: { maxSteps: 50 } })],
    respond: (_: ChatRequest, { index }) =>
      index < 20 ? callTool('note', { n: index }) : say('all noted'),
    address: server.address,
  })
  const run = await client.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({
    answer: 'all noted',
    stopReason: 'answered',
    steps: 21,
    usage: { modelCalls: 21 },
  })
  const handle = client.client.workflow.getHandle(run.id)
  const description = await handle.describe()
  expect(description.historyLength).toBeLessThan(80)
  expect(description.memo).toHaveProperty('perdure')
  expect(description.searchAttributes).toMatchObject({ PerdureAgent: ['test-agent'] })
  // Nothing is lost and nothing done twice: one request a step, each with all that came before.
  expect(model.requests.map(({ body }) => body?.messages.length)).toEqual(
    Array.from({ length: 21 }, (_, i) => 2 + 2 * i),
  )
  // The keys hang on the first execution of the chain.
  expect(new Set(keys.map((key) => key.split('/')[0])).size).toBe(1)
  expect(new Set(keys).size).toBe(20)
  // Steps of the whole chain stay readable, from any handle.
  const steps = await client.get(run.id).steps()
  expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: 21 }, (_, i) => i + 1))
  expect(steps.every(({ status }) => status === 'done')).toBe(true)
  const again = await client.start('test-agent', { input: 'Go', id: run.id })
  expect(again.attached).toBe(true)
  expect(await again.result()).toMatchObject({ answer: 'all noted' })
})

test('a run continues as new past 4 MB of history, although its server never suggests it', async () => {
  const dynamicConfig = {
    'limit.historyCount.suggestContinueAsNew': 50_000,
    'limit.historySize.suggestContinueAsNew': 50_000_000,
  }
  const silent = await startOwnServer({ dynamicConfig })
  try {
    const dump = defineTool({
      name: 'dump',
      description: 'Use when the test says so.',
      input: z.object({ id: z.string() }),
      annotations: { readOnlyHint: true },
      // What is cut from it stays in the history: 58 kB a call.
      execute: ({ id }) => `${id} ${'words '.repeat(10_000)}`,
    })
    const stage = await openStage({
      agents: [testAgent({ tools: [dump], limits: { maxSteps: 30 } })],
      address: silent.address,
    })
    const calls = (n: number) =>
      Array.from({ length: 8 }, (_, i) => ({ name: 'dump', args: { id: `${n}.${i}` } }))
    let asked = 0
    const { result, events, steps, run } = await stage.play({
      respond: ({ tools }) => {
        if (tools === undefined) return say('Much was dumped.')
        return asked < 10 ? callTools(calls(asked++)) : say('done')
      },
    })
    expect(result).toMatchObject({ stopReason: 'answered', steps: 11 })
    expect(steps.flatMap((step) => step.calls).map(({ status }) => status)).toEqual(
      Array(80).fill('ok'),
    )
    const started = events.flatMap((event) => event.workflowExecutionStartedEventAttributes ?? [])
    expect(started).toHaveLength(2)
    const first = started[1]?.continuedExecutionRunId ?? ''
    const { historySize } = await stage.client.client.workflow.getHandle(run.id, first).describe()
    expect(historySize).toBeGreaterThan(4_000_000)
    expect(historySize).toBeLessThan(5_000_000)
    const carried = started[1]?.input?.payloads?.[0]?.data?.length ?? 0
    expect(carried).toBeGreaterThan(0)
    expect(carried).toBeLessThan(1_500_000)
  } finally {
    await silent.kill()
  }
})
