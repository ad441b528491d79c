import { expect, test } from 'vitest'
import { z } from 'zod'
import { DefinitionError, defineTool, type JsonObject, ToolError } from '../../src/index.js'
import { callTool, callTools, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { startOwnServer } from '../kit/own-server.js'
import { observations, openStage, runAgent } from './kit.js'

const base = { description: 'Use when the test says so.', input: z.object({}) }
const LARGE = 3_000_000

/** A result that is sent as `end`, after three million characters. */
function thrown(error: Error): never {
  throw error
}

/** What a tool gives or throws, and what the model must read of it. */
const GIANTS: Record<string, readonly [run: () => unknown, text: RegExp]> = {
  'a text': [
    () => `head ${'x'.repeat(LARGE)} tail`,
    /^head x+\n\[… \d+ of 3000010 .*…\]\nx+ tail$/,
  ],
  'a text of emoji': [() => '😀'.repeat(LARGE / 2), /^(😀)+\n\[… \d+ of 3000000 .*…\]\n(😀)+$/u],
  'a text of Chinese': [() => '查'.repeat(LARGE), /^查+\n\[…/],
  'control characters': [() => '\u0001'.repeat(LARGE), /left out/],
  'a list': [
    () => Array.from({ length: 300_000 }, (_, i) => `item ${i}`),
    /^\["item 0".*"item 299999"\]$/s,
  ],
  'an object': [
    () => ({ first: 1, log: 'x'.repeat(LARGE), last: 2 }),
    /^\{"first":1.*"last":2\}$/s,
  ],
  bytes: [() => Buffer.alloc(300_000, 7), /left out/],
  'an error': [() => thrown(new Error('m'.repeat(LARGE))), /"error_type":"outcome_unknown"/],
  'an error with a large name': [
    () => thrown(Object.assign(new Error('no'), { name: 'N'.repeat(LARGE) })),
    /"error_type":"outcome_unknown"/,
  ],
  'an error with a large stack and cause': [
    () =>
      thrown(
        Object.assign(new Error('no', { cause: 'c'.repeat(LARGE) }), { stack: 's'.repeat(LARGE) }),
      ),
    /"error_type":"outcome_unknown"/,
  ],
  'a ToolError': [
    () => thrown(new ToolError(`start ${'m'.repeat(LARGE)} end`)),
    /start m+.*left out.*m+ end/,
  ],
  'a ToolError of control characters': [
    () => thrown(new ToolError('\u0001'.repeat(LARGE))),
    /tool_error/,
  ],
  'a thrown text': [
    () => {
      throw 't'.repeat(LARGE)
    },
    /"error_type":"outcome_unknown"/,
  ],
}

test('B28 · a result or an error of three million characters: the tool runs once, the run completes', async () => {
  const runs: Record<string, number> = {}
  const giant = defineTool({
    ...base,
    name: 'giant',
    input: z.object({ kind: z.string() }),
    execute: ({ kind }) => {
      runs[kind] = (runs[kind] ?? 0) + 1
      return GIANTS[kind]?.[0]()
    },
  })
  const stage = await openStage({ agents: [testAgent({ tools: [giant] })] })
  const outcomes = await Promise.all(
    Object.keys(GIANTS).map((kind) =>
      stage.play({ script: [callTool('giant', { kind }), say('done')] }),
    ),
  )
  for (const [i, [kind, [, wanted]]] of Object.entries(GIANTS).entries()) {
    const outcome = outcomes[i]
    if (outcome === undefined) continue
    expect(outcome.result, kind).toMatchObject({ answer: 'done', steps: 2 })
    const [text = ''] = observations(outcome)
    expect(text, kind).toMatch(wanted)
    expect(text.length, kind).toBeLessThanOrEqual(2_500)
    expect(runs[kind], kind).toBe(1)
    const { historySize } = await stage.client.client.workflow.getHandle(outcome.run.id).describe()
    // Of what was cut, 64 kB are kept for read_more.
    expect(historySize, kind).toBeLessThan(30_000 + 64_000)
  }
})

test('B28 · a large error that vouches for nothing, and of a read-only tool, is tried as often as it may be', async () => {
  const runs = { vouched: 0, read: 0 }
  const retry = { maximumAttempts: 2 }
  const vouched = defineTool({
    ...base,
    name: 'vouched',
    retry,
    execute: () => {
      runs.vouched++
      throw new ToolError('m'.repeat(LARGE), { retryable: true })
    },
  })
  const read = defineTool({
    ...base,
    name: 'read',
    retry,
    annotations: { readOnlyHint: true },
    execute: () => {
      runs.read++
      throw new Error('m'.repeat(LARGE))
    },
  })
  const outcome = await runAgent({
    agents: [testAgent({ tools: [vouched, read] })],
    script: [callTools(['vouched', 'read'].map((name) => ({ name, args: {} }))), say('done')],
  })
  expect(outcome.result?.answer).toBe('done')
  expect(runs).toEqual({ vouched: 2, read: 2 })
  expect(observations(outcome).every((text) => text.length < 2_500)).toBe(true)
})

const note = defineTool({
  ...base,
  name: 'note',
  input: z.object({ n: z.number().default(0), text: z.string().default('') }),
  annotations: { readOnlyHint: true },
  execute: ({ n }) => `${n}`.padEnd(5_000, '.'),
})

test('B29 · 80 steps with results of 5 kB: the history grows in a straight line', async () => {
  const { result, requests, run, client } = await openStage({
    agents: [
      testAgent({ tools: [note], limits: { maxSteps: 100 }, memory: 'none', readMore: false }),
    ],
  }).then(async (stage) => ({
    ...(await stage.play({
      respond: (_, { index }) => (index < 80 ? callTool('note', { n: index }) : say('done')),
    })),
    client: stage.client,
  }))
  expect(result).toMatchObject({ stopReason: 'answered', steps: 81 })
  expect(requests).toHaveLength(81)
  const { historySize } = await client.client.workflow.getHandle(run.id).describe()
  // 2,000 characters of each result, and what the events of a step weigh.
  expect(historySize).toBeLessThan(80 * (2_000 + 2_500))
})

const wide = (length: number) => '查'.repeat(length)
/** Replies that are larger than what Temporal takes at once. */
const LARGE_REPLIES: Record<string, ReturnType<typeof callTool>> = {
  'a text beside a call': callTool('note', { n: 1 }, { text: 'x'.repeat(LARGE) }),
  'a text of Chinese beside one': callTool('note', { n: 1 }, { text: wide(LARGE / 3) }),
  'a text of control characters beside one': callTool(
    'note',
    { n: 1 },
    { text: '\u0001'.repeat(500_000) },
  ),
  'control characters, and arguments of Chinese': callTool(
    'note',
    { text: wide(290_000) },
    { text: '\u0001'.repeat(500_000) },
  ),
  arguments: callTool('note', { text: 'x'.repeat(LARGE) }),
  'arguments that are no JSON': callTool('note', `{"text":"${'x'.repeat(LARGE)}`),
  'arguments of a tool that is not there': callTool('nobody', { text: 'x'.repeat(LARGE) }),
  'five calls of 1.5 MB': callTools(
    [1, 2, 3, 4, 5].map((n) => ({ name: 'note', args: { n, text: 'x'.repeat(1_500_000) } })),
  ),
  'five calls of 290 kB': callTools(
    [1, 2, 3, 4, 5].map((n) => ({ name: 'note', args: { n, text: 'x'.repeat(290_000) } })),
  ),
  '300 calls': callTools(Array.from({ length: 300 }, (_, n) => ({ name: 'note', args: { n } }))),
}

test('B29 · replies of megabytes end in an answer, and no request is paid twice', async () => {
  const stage = await openStage({ agents: [testAgent({ tools: [note] })], stream: false })
  for (const [name, reply] of Object.entries(LARGE_REPLIES)) {
    const { result, requests } = await stage.play({ script: [reply, say('done')] })
    expect(result, name).toMatchObject({ stopReason: 'answered', answer: 'done', steps: 2 })
    expect(requests, name).toHaveLength(2)
  }
  for (const text of ['x'.repeat(LARGE), wide(LARGE / 2), '\u0001'.repeat(LARGE)]) {
    const { result, requests } = await stage.play({ script: [say(text)] })
    expect(result?.stopReason).toBe('answered')
    expect(result?.answer.length).toBeLessThanOrEqual(300_000)
    expect(requests).toHaveLength(1)
  }
})

test('B29 · a megabyte in small pieces is put together without hurry', async () => {
  const stage = await openStage({ agents: [testAgent({ tools: [note] })] })
  const text = 'x'.repeat(1_500_000)
  const { result, steps } = await stage.play({ script: [callTool('note', { text }), say(text)] })
  expect(result).toMatchObject({ stopReason: 'answered', steps: 2 })
  expect(steps[0]?.calls).toMatchObject([{ status: 'refused' }])
})

test('B29 · five parallel results of megabytes are cut, each by itself', async () => {
  const tools = [1, 2, 3, 4, 5].map((n) =>
    defineTool({ ...base, name: `big_${n}`, execute: () => `${n}`.repeat(1_500_000) }),
  )
  const outcome = await runAgent({
    agents: [testAgent({ tools })],
    script: [callTools(tools.map(({ name }) => ({ name, args: {} }))), say('done')],
  })
  expect(outcome.result?.answer).toBe('done')
  expect(observations(outcome).map((text) => text.length <= 2_000)).toEqual(Array(5).fill(true))
})

test('B29 · an input, a context or a definition that is too large is refused before any run', async () => {
  const stage = await openStage({ agents: [testAgent()] })
  const inputs: { input: string; context?: JsonObject }[] = [
    { input: 'x'.repeat(LARGE) },
    { input: wide(400_000) },
    { input: '\u0001'.repeat(200_000) },
    { input: 'Go.', context: { text: 'x'.repeat(LARGE) } },
  ]
  for (const options of inputs) {
    await expect(stage.client.start('test-agent', options)).rejects.toThrow(/bytes/)
  }
  expect(() => testAgent({ instructions: 'x'.repeat(LARGE) })).toThrow(DefinitionError)
})

test('B29 · a conversation too large to be carried over goes on where it is', async () => {
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 20 }
  const server = await startOwnServer({ dynamicConfig })
  const { result, requests } = await runAgent({
    address: server.address,
    agents: [testAgent({ tools: [note], limits: { maxSteps: 8 }, memory: 'none' })],
    respond: ({ tools }, { index }) =>
      tools === undefined
        ? say('That is all.')
        : callTool('note', { n: index }, { text: 'x'.repeat(290_000) }),
  })
  expect(result).toMatchObject({ stopReason: 'max_steps', answer: 'That is all.', steps: 8 })
  expect(requests).toHaveLength(9)
})
