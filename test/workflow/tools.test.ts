import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, ToolError } from '../../src/index.js'
import { callTool, callTools, say } from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { createGate } from '../kit/gate.js'
import { startHarness } from '../kit/harness.js'

const empty = { description: 'Use when the test says so.', input: z.object({}) }

test('two parallel tools of 600 ms take less than 1 s together; answers come in call order', async () => {
  const finished: string[] = []
  const sleeper = (name: string, ms: number) =>
    defineTool({
      ...empty,
      name,
      execute: async () => {
        await new Promise((resolve) => setTimeout(resolve, ms))
        finished.push(name)
        return name
      },
    })
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [sleeper('slow', 600), sleeper('slower', 640), lookup] })],
    script: [
      callTools([
        { name: 'slower', args: {} },
        { name: 'slow', args: {} },
        { name: 'lookup', args: { id: 'A1' } },
      ]),
      say('done'),
    ],
  })
  const run = await client.start('test-agent', { input: 'Go' })
  await run.result()
  const [step] = await run.steps()
  const longest = Math.max(...(step?.calls.map(({ ms }) => ms ?? 0) ?? []))
  expect(longest).toBeGreaterThan(600)
  expect(longest).toBeLessThan(1_000)
  expect(finished).toEqual(['slow', 'slower'])
  const tools = model.requests[1]?.body?.messages.filter(({ role }) => role === 'tool')
  expect(tools?.map(({ content }) => content)).toEqual([
    'slower',
    'slow',
    '{"id":"A1","found":true}',
  ])
})

test('parallel: false on an agent: the model is told, and extra calls run one after the other', async () => {
  let running = 0
  let most = 0
  const busy = defineTool({
    ...empty,
    name: 'busy',
    input: z.object({ n: z.number() }),
    execute: async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 30))
      running--
      return 'ok'
    },
  })
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [busy], parallel: false })],
    script: [callTools([1, 2, 3].map((n) => ({ name: 'busy', args: { n } }))), say('done')],
  })
  await (await client.start('test-agent', { input: 'Go' })).result()
  expect(most).toBe(1)
  expect(model.requests[0]?.body?.parallel_tool_calls).toBe(false)
  expect(model.requests[1]?.body?.messages.filter(({ role }) => role === 'tool')).toHaveLength(3)
})

test('one failing call among parallel ones loses none of the others, and none runs twice', async () => {
  const runs: string[] = []
  const tool = (name: string, execute: () => unknown) =>
    defineTool({
      ...empty,
      name,
      execute: () => {
        runs.push(name)
        return execute()
      },
    })
  const gate = createGate()
  const { client, model } = await startHarness({
    agents: [
      testAgent({
        tools: [
          tool('a', () => 'real a'),
          tool('b', () => {
            gate.open()
            throw new TypeError('secret detail')
          }),
          tool('c', () => gate.opened.then(() => 'real c')),
        ],
      }),
    ],
    script: [callTools(['a', 'b', 'c'].map((name) => ({ name, args: {} }))), say('done')],
  })
  await (await client.start('test-agent', { input: 'Go' })).result()
  expect(runs.toSorted()).toEqual(['a', 'b', 'c'])
  const observations = model.requests[1]?.body?.messages.filter(({ role }) => role === 'tool')
  expect(observations?.map(({ content }) => content)).toEqual([
    'real a',
    expect.stringContaining('"error_type":"outcome_unknown"'),
    'real c',
  ])
  expect(JSON.stringify(observations)).not.toContain('secret detail')
})

test('a read-only tool is retried, a write tool is not, unless its ToolError says that nothing happened', async () => {
  const attempts = { read: 0, write: 0, vouched: 0 }
  const read = defineTool({
    ...empty,
    name: 'read',
    annotations: { readOnlyHint: true },
    execute: () => {
      if (++attempts.read < 2) throw new Error('flaky')
      return 'read'
    },
  })
  const write = defineTool({
    ...empty,
    name: 'write',
    execute: () => {
      attempts.write++
      throw new Error('who knows')
    },
  })
  const vouched = defineTool({
    ...empty,
    name: 'vouched',
    execute: () => {
      if (++attempts.vouched < 2) throw new ToolError('locked', { retryable: true })
      return 'written'
    },
  })
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [read, write, vouched] })],
    script: [
      callTools(['read', 'write', 'vouched'].map((name) => ({ name, args: {} }))),
      say('done'),
    ],
  })
  await (await client.start('test-agent', { input: 'Go' })).result()
  expect(attempts).toEqual({ read: 2, write: 1, vouched: 2 })
  const observations = model.requests[1]?.body?.messages.filter(({ role }) => role === 'tool')
  expect(observations?.map(({ content }) => content)).toEqual([
    'read',
    expect.stringContaining('outcome_unknown'),
    'written',
  ])
})

test('a write tool that passes its time-out runs once, and the model hears that nobody knows', async () => {
  let runs = 0
  const slow = defineTool({
    ...empty,
    name: 'slow',
    timeout: '300ms',
    execute: (_, { signal }) => {
      runs++
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    },
  })
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [slow] })],
    script: [callTool('slow', {}), say('done')],
  })
  expect(await (await client.start('test-agent', { input: 'Go' })).result()).toMatchObject({
    stopReason: 'answered',
  })
  expect(runs).toBe(1)
  expect(model.requests[1]?.body?.messages.at(-1)?.content).toContain('outcome_unknown')
})

test('a result of three million characters is cut inside of its activity; the tool runs once', async () => {
  let runs = 0
  const large = defineTool({
    ...empty,
    name: 'large',
    execute: () => {
      runs++
      return `start ${'x'.repeat(3_000_000)} end`
    },
  })
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [large] })],
    script: [callTool('large', {}), say('done')],
  })
  await (await client.start('test-agent', { input: 'Go' })).result()
  expect(runs).toBe(1)
  const content = String(model.requests[1]?.body?.messages.at(-1)?.content)
  expect(content.length).toBeLessThanOrEqual(2_000)
  expect(content).toMatch(
    /^start x+\n\[… \d+ of 3000010 characters left out; read_more shows them: id "\w{9}" …\]\nx+ end$/,
  )
})

test('a tool may change its arguments by zod, and the model still sees what it sent', async () => {
  const seen: unknown[] = []
  const dated = defineTool({
    ...empty,
    name: 'dated',
    input: z.object({
      day: z.iso.date().transform((text) => new Date(text)),
      limit: z.number().default(10),
    }),
    execute: (input) => {
      seen.push(input)
      return 'ok'
    },
  })
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [dated] })],
    script: [callTool('dated', { day: '2026-11-30' }), say('done')],
  })
  await (await client.start('test-agent', { input: 'Go' })).result()
  expect(seen).toEqual([{ day: new Date('2026-11-30'), limit: 10 }])
  const call = model.requests[1]?.body?.messages.find(({ role }) => role === 'assistant')
  expect(call?.tool_calls?.[0]?.function.arguments).toBe('{"day":"2026-11-30"}')
})
