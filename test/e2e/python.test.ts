import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, inject, onTestFinished, type TestContext, test } from 'vitest'
import { AgentClient } from '../../src/client.js'
import { defineRemoteTool, type RemoteToolOptions } from '../../src/index.js'
import {
  callTool,
  callTools,
  type Reply,
  say,
  startModelServer,
  status,
} from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { startCli, type TestProcess } from '../kit/processes.js'
import { INSTALL_TIMEOUT_MS } from '../kit/python-packages.js'
import { installTemporalPython, startPython } from '../kit/temporal-python.js'

// Temporal's Python SDK on the other side: what docs/protocol.md says is what it needs to know.

beforeAll(installTemporalPython, INSTALL_TIMEOUT_MS)

/** The example of docs/tools.md as it is run there: three processes. */
async function startWarehouse(context: TestContext, script: readonly Reply[]) {
  const model = await startModelServer({ script: [...script] })
  onTestFinished(() => model.close())
  const { address } = inject('temporal')
  const taskQueue = `python-${randomUUID()}`
  const env = {
    TEMPORAL_ADDRESS: address,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'any',
    PERDURE_TASK_QUEUE: taskQueue,
  }
  const worker = startCli(['worker', '--agents', 'examples/python/agents.ts'], { env })
  const tools = await startPython(context, ['examples/python/tools_worker.py'], env)
  await Promise.all([worker.says('polls task queue'), tools.says('polls task queue')])
  const client = await AgentClient.connect({ address, taskQueue })
  onTestFinished(() => client.close())
  const ask = async (id: string) => {
    const program = ['examples/python/start_run.py', id, QUESTION]
    const asked = await startPython(context, program, env)
    return { code: await asked.exited, text: asked.stdout(), errors: asked.stderr() }
  }
  return { model, client, ask }
}

const QUESTION = 'Keep two A-100 for me, “bitte”.'

test('the example: a program in Python starts a run whose tools are Python, and reads its result', async (context) => {
  const { model, client, ask } = await startWarehouse(context, [
    callTool('check_stock', { sku: 'A-100' }),
    callTools([
      { name: 'check_stock', args: { sku: 'X-1' } },
      { name: 'reserve_stock', args: { sku: 'A-100', pieces: 'two' } },
    ]),
    callTool('reserve_stock', { sku: 'A-100', pieces: 2 }),
    say('Two are yours.'),
  ])
  const id = `python-${randomUUID()}`
  const { code, text, errors } = await ask(id)
  expect(errors).toBe('')
  expect(code).toBe(0)
  expect(JSON.parse(text)).toMatchObject({
    answer: 'Two are yours.',
    stopReason: 'answered',
    steps: 4,
    usage: { modelCalls: 4 },
  })

  const told = model.requests.at(-1)?.body?.messages.filter(({ role }) => role === 'tool')
  expect(told?.map(({ content }) => content)).toEqual([
    // In the order that Python's SDK writes.
    '{"pieces":12,"sku":"A-100"}',
    '{"status":"error","error_type":"tool_error","message":"There is no article X-1.","retryable":false}',
    expect.stringContaining(
      '"error_type":"invalid_arguments","message":"The arguments do not fit: pieces',
    ),
    '{"for":"c7","pieces":2,"sku":"A-100"}',
  ])
  const shown = (await client.get(id).steps()).flatMap(({ calls }) => calls)
  expect(shown.map(({ observation }) => observation)).toEqual([
    told?.[0]?.content,
    'There is no article X-1.',
    told?.[2]?.content,
    told?.[3]?.content,
  ])
  expect(shown.map(({ status, attempts }) => [status, attempts])).toEqual([
    ['ok', 1],
    ['error', 1],
    ['refused', 0],
    ['ok', 1],
  ])

  // The same start again, from either language, finds the run.
  expect(await ask(id)).toEqual({ code: 0, text, errors: '' })
  const found = await client.start('warehouse', {
    input: QUESTION,
    context: { customerId: 'c7' },
    id,
  })
  expect(found.attached).toBe(true)
  expect(model.requests).toHaveLength(4)
})

test('the example tells type and details of a run that failed', async (context) => {
  const { ask } = await startWarehouse(context, [status(401)])
  const { code, text } = await ask(`python-${randomUUID()}`)
  expect(code).toBe(1)
  expect(text).toMatch(/^AgentRunError \{"reason": "model_error", "turn": 1, "step": 1, /)
})

/** An agent with remote tools, and what its Python worker writes down. */
async function startRemote(
  context: TestContext,
  tools: Readonly<Record<string, Partial<RemoteToolOptions>>>,
  script: readonly Reply[],
) {
  const taskQueue = `python-tools-${randomUUID()}`
  const folder = await mkdtemp(join(tmpdir(), 'perdure-python-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const log = join(folder, 'log')
  const names = Object.entries(tools)
  const { client, model } = await startHarness({
    agents: [
      testAgent({
        tools: names.map(([name, options]) =>
          defineRemoteTool({
            name,
            description: 'Use when the test says so.',
            inputSchema: { type: 'object', properties: { cents: { type: 'integer' } } },
            taskQueue,
            ...options,
          }),
        ),
      }),
    ],
    script: [...script],
  })
  const startWorker = async (): Promise<TestProcess> => {
    const env = { TEMPORAL_ADDRESS: inject('temporal').address }
    const program = ['test/e2e/fixtures/remote_tools.py', taskQueue, log]
    const worker = await startPython(context, program, env)
    await worker.says('polls')
    return worker
  }
  return {
    client,
    startWorker,
    lines: async () => (existsSync(log) ? (await readFile(log, 'utf8')).trim().split('\n') : []),
    observations: () =>
      model.requests
        .at(-1)
        ?.body?.messages.flatMap((message) =>
          message.role === 'tool' ? [String(message.content)] : [],
        ),
  }
}

test('a write tool whose process dies is not run again, and the model hears that nobody knows', async (context) => {
  const { client, startWorker, lines, observations } = await startRemote(
    context,
    { pay: { timeout: '2s' } },
    [callTool('pay', { cents: 5 }), say('Unclear.')],
  )
  const first = await startWorker()
  const run = await client.start('test-agent', { input: 'Go' })
  expect(await first.exited).toBe(1)
  await startWorker()
  expect(await run.result()).toMatchObject({ stopReason: 'answered' })
  expect(await lines()).toEqual([expect.stringMatching(/^paid 5 [\w-]+\/1\.1\.1\/[0-9a-f]{16}$/)])
  expect(observations()).toEqual([expect.stringContaining('"error_type":"outcome_unknown"')])
})

test('retries, secrets, missing activities and empty results are what they are for tools in TypeScript', async (context) => {
  const names = ['flaky', 'post', 'nothing', 'renamed']
  const readOnly = { annotations: { readOnlyHint: true } }
  const { client, startWorker, lines, observations } = await startRemote(
    context,
    { flaky: readOnly, post: {}, nothing: { parallel: false }, renamed: {} },
    [callTools(names.map((name) => ({ name, args: {} }))), say('done')],
  )
  await startWorker()
  const run = await client.start('test-agent', { input: 'Go' })
  await run.result()
  expect(observations()).toEqual([
    'up again',
    expect.stringContaining('"error_type":"outcome_unknown"'),
    '(done; the tool returned no result)',
    '{"status":"error","error_type":"not_run","message":"renamed is not available at the moment. It was not run.","retryable":true}',
  ])
  const written = await lines()
  expect(written.filter((line) => line === 'posted')).toHaveLength(1)
  expect(written).toContain(
    "['args', 'call', 'context', 'idempotencyKey', 'origin', 'step', 'turn']",
  )
  const keys = written.filter((line) => line.includes('/1.1.1/'))
  expect(keys).toEqual([keys[0], keys[0]])
  const [step] = await run.steps()
  expect(step?.calls.map(({ attempts }) => attempts)).toEqual([2, 1, 1, 1])
})

test('a tool whose workers are all gone is told as not run, and the run goes on', async (context) => {
  const { client, observations } = await startRemote(
    context,
    { pay: { scheduleToStartTimeout: '500ms' } },
    [callTool('pay', {}), say('Later.')],
  )
  const run = await client.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({ answer: 'Later.' })
  expect(observations()).toEqual([expect.stringContaining('"error_type":"not_run"')])
})

test('cancelling a run reaches an activity in Python that heartbeats', async (context) => {
  const { client, startWorker, lines } = await startRemote(
    context,
    { wait: { heartbeatTimeout: '1s' } },
    [callTool('wait', {})],
  )
  await startWorker()
  const run = await client.start('test-agent', { input: 'Go' })
  await expect.poll(lines, { timeout: 20_000 }).toEqual(['waits'])
  await run.cancel()
  await expect(run.result()).rejects.toThrow('was cancelled')
  await expect.poll(lines, { timeout: 20_000 }).toEqual(['waits', 'cancelled'])
})
