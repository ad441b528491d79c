import { describe, expect, test } from 'vitest'
import { callHash, idempotencyKey } from '../../../src/activities/idempotency-key.js'
import { runCalls } from '../../../src/agent/run-calls.js'
import type { ToolCallInput, ToolOutcome } from '../../../src/contract/activities.js'
import type { AssistantMessage, ToolCall } from '../../../src/contract/messages.js'
import { type ManifestChanges, stateOf, toolOf } from './manifests.js'
import { call } from './scripted-effects.js'

/** Lets every promise that can go on go on. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** A tool runner that finishes a call when the test says so, and records starts and ends. */
function manualTools() {
  const events: string[] = []
  const open = new Map<number, (outcome: ToolOutcome) => void>()
  return {
    events,
    now: () => 0,
    readArtifact: async () => ({ text: 'no store', error: true as const }),
    runTool: (_tool: unknown, input: ToolCallInput): Promise<ToolOutcome> => {
      events.push(`start ${input.call}`)
      return new Promise((resolve) => open.set(input.call, resolve))
    },
    finish: async (place: number, outcome: ToolOutcome = { text: `result ${place}` }) => {
      events.push(`end ${place}`)
      open.get(place)?.(outcome)
      await settle()
    },
  }
}

async function start(changes: ManifestChanges, ...calls: readonly ToolCall[]) {
  const tools = manualTools()
  const reply: AssistantMessage = { role: 'assistant', text: '', calls, turn: 1, step: 1 }
  const outcomes = runCalls(stateOf(changes), reply, tools)
  await settle()
  return { ...tools, outcomes }
}

const search = call('search')
const write = call('write')
const withWrite: ManifestChanges = {
  tools: [toolOf('search'), toolOf('write', { parallel: false })],
}

test('calls run beside each other by default', async () => {
  const { events, finish } = await start({}, search, search, search)
  expect(events).toEqual(['start 1', 'start 2', 'start 3'])
  for (const place of [1, 2, 3]) await finish(place)
})

test('observations come in call order, whatever finishes first', async () => {
  const { finish, outcomes } = await start({}, call('search'), call('read'), call('list'))
  for (const place of [3, 1, 2]) await finish(place)
  expect(await outcomes).toEqual([{ text: 'result 1' }, { text: 'result 2' }, { text: 'result 3' }])
})

test('a call that fails loses none of the others', async () => {
  const { finish, outcomes } = await start({}, search, search, search)
  await finish(2, { text: 'broken', error: true })
  await finish(1)
  await finish(3)
  expect(await outcomes).toEqual([
    { text: 'result 1' },
    { text: 'broken', error: true },
    { text: 'result 3' },
  ])
})

test('two identical calls are two calls', async () => {
  const { events, finish, outcomes } = await start({}, search, search)
  await finish(1)
  await finish(2)
  expect(events).toEqual(['start 1', 'start 2', 'end 1', 'end 2'])
  expect(await outcomes).toHaveLength(2)
})

test('an agent with parallel: false runs one call after the other', async () => {
  const { events, finish } = await start({ parallel: false }, search, search, search)
  for (const place of [1, 2, 3]) await finish(place)
  expect(events).toEqual(['start 1', 'end 1', 'start 2', 'end 2', 'start 3', 'end 3'])
})

describe('a tool with parallel: false', () => {
  test('waits for the calls before it and is waited for by those after it', async () => {
    const calls = [search, search, write, search, search]
    const { events, finish, outcomes } = await start(withWrite, ...calls)
    for (const place of [2, 1, 3, 5, 4]) await finish(place)
    expect(events).toEqual([
      ...['start 1', 'start 2', 'end 2', 'end 1'],
      ...['start 3', 'end 3'],
      ...['start 4', 'start 5', 'end 5', 'end 4'],
    ])
    expect((await outcomes).map(({ text }) => text)).toEqual(
      [1, 2, 3, 4, 5].map((place) => `result ${place}`),
    )
  })

  test('runs alone even beside itself', async () => {
    const { events, finish } = await start(withWrite, write, write)
    await finish(1)
    await finish(2)
    expect(events).toEqual(['start 1', 'end 1', 'start 2', 'end 2'])
  })

  test('goes on after its own error', async () => {
    const { events, finish, outcomes } = await start(withWrite, write, search)
    await finish(1, { text: 'broken', error: true })
    await finish(2)
    expect(events).toEqual(['start 1', 'end 1', 'start 2', 'end 2'])
    expect(await outcomes).toEqual([{ text: 'broken', error: true }, { text: 'result 2' }])
  })
})

describe('a call with a problem', () => {
  const bad: ToolCall = { name: 'search', args: {}, problem: 'not JSON' }

  test('never runs and is answered with its problem, in its place', async () => {
    const { events, finish, outcomes } = await start({}, search, bad, search)
    await finish(1)
    await finish(3)
    expect(events).toEqual(['start 1', 'start 3', 'end 1', 'end 3'])
    expect(await outcomes).toEqual([
      { text: 'result 1' },
      { text: 'not JSON', error: true },
      { text: 'result 3' },
    ])
  })

  test('never runs in an agent with parallel: false either', async () => {
    const { events, finish, outcomes } = await start({ parallel: false }, bad, search)
    await finish(2)
    expect(events).toEqual(['start 2', 'end 2'])
    expect(await outcomes).toHaveLength(2)
  })

  test('never runs when it names a tool that runs alone', async () => {
    const { events, outcomes } = await start(withWrite, { ...write, problem: 'no such order' })
    expect(events).toEqual([])
    expect(await outcomes).toEqual([{ text: 'no such order', error: true }])
  })
})

test('a call of a tool that the manifest does not have is an error, and nothing runs', async () => {
  const { events, outcomes } = await start({}, call('forget'))
  expect(events).toEqual([])
  expect(await outcomes).toMatchObject([{ error: true }])
})

test('a call that carries a hash is sent its idempotency key, as a tool here would make it', async () => {
  const inputs: ToolCallInput[] = []
  const args = { id: 'A1' }
  const hash = callHash('search', args)
  const calls: ToolCall[] = [search, { name: 'search', args, hash }]
  const reply: AssistantMessage = { role: 'assistant', text: '', calls, turn: 1, step: 1 }
  await runCalls(stateOf(), reply, {
    runTool: async (_tool, input) => {
      inputs.push(input)
      return { text: 'ok' }
    },
    readArtifact: async () => ({ text: 'gone', error: true }),
    now: () => 0,
  })
  const [plain, keyed] = inputs
  expect(plain).not.toHaveProperty('idempotencyKey')
  expect(keyed?.idempotencyKey).toBe(keyed && idempotencyKey('search', keyed))
})
