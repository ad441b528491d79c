import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Payload, PayloadCodec } from '@temporalio/common'
import { expect, inject, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { RunHandle } from '../../src/client.js'
import { AgentClient } from '../../src/client.js'
import { serverConfig } from '../../src/config.js'
import { defineTool } from '../../src/index.js'
import {
  exportRun,
  fetchHistory,
  MissingConverterError,
  parseHistory,
  type ReplayOptions,
  type RunHistory,
  type RunReplay,
  replayRequest,
  replayRun,
} from '../../src/replay.js'
import {
  type ChatRequest,
  callTool,
  callTools,
  empty,
  type LoggedRequest,
  say,
  startDevServer,
  status,
} from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { type Harness, startHarness } from '../kit/harness.js'

/** Replays with the bundle that the tests share. */
async function replay(history: RunHistory, options: ReplayOptions = {}): Promise<RunReplay> {
  const worker = { workflowBundle: { codePath: inject('temporal').bundle } }
  return await replayRun(history, { worker, ...options })
}

async function historyOf({ client }: Harness, run: RunHandle): Promise<RunHistory> {
  return await fetchHistory(client.client, run.id)
}

/** The last request of each model call, as a model server got them: those before it failed. */
function answered(requests: readonly LoggedRequest[], aside = (_: ChatRequest) => false) {
  return requests.filter(({ status: code, body }) => code === 200 && !aside(body))
}

/** Messages of the conversation in a request. */
function messagesOf({ messages }: ChatRequest): number {
  const joined = messages.filter(({ content }) => /^Summary of the conv.*\n/.test(String(content)))
  return messages.length - 1 + joined.length
}

const manual = defineTool({
  name: 'manual',
  description: 'Use when the test asks for the manual.',
  input: z.object({ part: z.string() }),
  annotations: { readOnlyHint: true },
  execute: ({ part }) => `${part} ${'long '.repeat(900)}`,
})

function unsupported(param: string) {
  return status(400, {
    body: { error: { message: `Unsupported parameter: '${param}'`, code: 'unsupported', param } },
  })
}

test('the request of each step is what the model server got: strategy, summaries, read_more, forced', async () => {
  const isAside = ({ messages: [system] }: ChatRequest) =>
    /^Choose how|^You write the memory/.test(String(system?.content))
  const harness = await startHarness({
    agents: [
      testAgent({
        tools: [manual],
        strategies: [{ name: 'calm', when: 'They are angry.', instructions: 'Stay calm.' }],
        memory: { summary: { keepMessages: 2, aboveTokens: 400 } },
        limits: { maxSteps: 5 },
        modelSettings: { temperature: 0, maxTokens: 500 },
      }),
    ],
    respond: ({ messages, tools, max_tokens }, { index }) => {
      const [system] = messages
      if (String(system?.content).startsWith('Choose how')) return say('calm')
      if (String(system?.content).startsWith('You write the memory')) return say('They read.')
      if (max_tokens !== undefined) return unsupported('max_tokens')
      if (index < 3) return status(503)
      if (tools === undefined) return say('That is all.')
      const cut = /read_more shows them: id "(\w+)"/.exec(JSON.stringify(messages))?.[1]
      return index === 7 && cut !== undefined
        ? callTool('read_more', { id: cut, page: 1 })
        : callTool('manual', { part: `part ${index}` })
    },
    worker: { heartbeatTimeout: '30s' },
  })
  const run = await harness.client.start('test-agent', { input: 'Read it to me!' })
  expect(await run.result()).toMatchObject({ stopReason: 'max_steps', strategy: 'calm' })
  const history = await historyOf(harness, run)
  const sent = answered(harness.model.requests, isAside)
  expect(sent).toHaveLength(6)
  expect(JSON.stringify(sent)).toContain('Summary of the conversation so far')
  expect(sent.at(-2)?.body.tools?.map((tool) => tool.function.name)).toContain('read_more')
  expect(sent.at(-1)?.body).not.toHaveProperty('tools')
  for (const [i, { body }] of sent.entries()) {
    expect(await replayRequest(history, { step: i + 1 })).toEqual(body)
  }
  const { verdict, steps } = await replay(history)
  expect(verdict.kind).toBe('deterministic')
  // A summary is sent in one message with the question that follows it.
  expect(steps.map(({ prompt }) => prompt?.messages)).toEqual(
    sent.map(({ body }) => messagesOf(body)),
  )
  await expect(replayRequest(history, { step: 7 })).rejects.toThrow(/step 7/)
})

test('the request of a step is that of the fallback model, the nudge, and the shortened prompt', async () => {
  const tooLong = status(400, {
    body: { error: { message: 'too long', code: 'context_length_exceeded' } },
  })
  const harness = await startHarness({
    agents: [testAgent({ model: ['first', 'second'] })],
    respond: ({ model, messages }, { index }) => {
      if (model === 'first') return status(401)
      if (index === 1)
        return callTools(['A1', 'A2'].map((id) => ({ name: 'lookup', args: { id } })))
      if (index === 2) return callTool('lookup', { id: 'A3' })
      if (index === 3) return tooLong
      return messages.some(({ content }) => /reply was empty/.test(String(content)))
        ? say('done')
        : empty()
    },
  })
  const run = await harness.client.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({ answer: 'done' })
  const history = await historyOf(harness, run)
  const sent = harness.model.requests.slice(1)
  expect(sent).toHaveLength(5)
  for (const [i, { body }] of sent.entries()) {
    expect(await replayRequest(history, { step: i + 1 })).toEqual(body)
  }
})

test('a chain over continue-as-new replays as a whole, from the server and from its export', async () => {
  const { path, dir } = serverConfig()
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 40 }
  const server = await startDevServer({ path, dir, headless: true, dynamicConfig })
  onTestFinished(() => server.kill())
  const harness = await startHarness({
    agents: [testAgent({ limits: { maxSteps: 30 } })],
    respond: (_: ChatRequest, { index }) =>
      index < 12 ? callTool('lookup', { id: `A${index}` }) : say('done'),
    address: server.address,
  })
  const run = await harness.client.start('test-agent', { input: 'Go' })
  await run.result()
  const history = await historyOf(harness, run)
  expect(history.executions.length).toBeGreaterThan(2)
  const text = JSON.stringify(await exportRun(history))
  for (const one of [history, parseHistory(text, 'export')]) {
    const { verdict, steps, end, executions, loopVersion } = await replay(one)
    expect(verdict).toEqual({ kind: 'deterministic' })
    expect(steps).toHaveLength(13)
    expect(executions).toBe(history.executions.length)
    expect(end.text).toBe('answered: the model answered, after 13 steps')
    expect(loopVersion).toBe(1)
    for (const [i, { body }] of harness.model.requests.entries()) {
      expect(await replayRequest(one, { step: i + 1 })).toEqual(body)
      expect(steps[i]?.prompt?.messages).toBe(body.messages.length - 1)
    }
  }
})

const flip: PayloadCodec = {
  encode: async (payloads) =>
    payloads.map((payload) => ({
      metadata: { encoding: Buffer.from('test/flipped') },
      data: flipped(Buffer.from(JSON.stringify(encodable(payload)))),
    })),
  decode: async (payloads) =>
    payloads.map((payload) =>
      Buffer.from(payload.metadata?.['encoding'] ?? []).toString() === 'test/flipped'
        ? decodable(JSON.parse(Buffer.from(flipped(payload.data)).toString()))
        : payload,
    ),
}

function encodable({ metadata, data }: Payload) {
  return {
    encoding: Buffer.from(metadata?.['encoding'] ?? []).toString(),
    data: Buffer.from(data ?? []).toString('base64'),
  }
}

function decodable({ encoding, data }: ReturnType<typeof encodable>): Payload {
  return { metadata: { encoding: Buffer.from(encoding) }, data: Buffer.from(data, 'base64') }
}

function flipped(data: Payload['data']): Uint8Array {
  return (data ?? new Uint8Array()).map((byte) => byte ^ 0xff)
}

test('a history through a codec replays with it, says so without it, and is exported as it is', async () => {
  const dataConverter = { payloadCodecs: [flip] }
  const harness = await startHarness({
    agents: [testAgent()],
    script: [callTool('lookup', { id: 'SECRET-1' }), say('SECRET-2')],
    worker: { dataConverter },
  })
  const { address } = inject('temporal')
  const client = await AgentClient.connect({
    address,
    taskQueue: harness.taskQueue,
    dataConverter,
  })
  onTestFinished(() => client.close())
  const run = await client.start('test-agent', { input: 'SECRET-0' })
  await run.result()
  const text = JSON.stringify(await exportRun(await historyOf(harness, run)))
  expect(Buffer.from(text).toString()).not.toContain('SECRET')
  const history = parseHistory(text, 'export')
  const error = await replay(history).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(MissingConverterError)
  expect(String(error)).toMatch(/"test\/flipped".*--data-converter/)
  const { verdict, steps, end } = await replay(history, { dataConverter })
  expect(verdict).toEqual({ kind: 'deterministic' })
  expect(steps[0]?.calls[0]?.args).toEqual({ id: 'SECRET-1' })
  expect(end.result?.answer).toBe('SECRET-2')
  const request = await replayRequest(history, { step: 2, dataConverter })
  expect(request).toEqual(harness.model.requests[1]?.body)
})

test('a run that is open replays as far as it is, and tells what it waits for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-replay-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const harness = await startHarness({
    agents: [testAgent()],
    respond: (_: ChatRequest, { index }) =>
      index === 0 ? callTool('lookup', { id: 'A1' }) : status(503),
  })
  const run = await harness.client.start('test-agent', { input: 'Go' })
  onTestFinished(() => run.cancel())
  await harness.model.waitFor(2)
  const file = join(folder, 'open.json')
  await writeFile(file, JSON.stringify(await exportRun(await historyOf(harness, run))))
  const { verdict, end } = await replay(parseHistory(await readFile(file, 'utf8'), 'open.json'))
  expect(verdict.kind).toBe('deterministic')
  expect(end.text).toBe('running: step 2 waits for the model')
})
