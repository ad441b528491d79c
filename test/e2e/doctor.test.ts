import { randomUUID } from 'node:crypto'
import { Connection } from '@temporalio/client'
import { expect, inject, onTestFinished, test } from 'vitest'
import { AgentClient } from '../../src/client.js'
import { serverConfig } from '../../src/config.js'
import { SEARCH_ATTRIBUTES } from '../../src/contract/names.js'
import { startDevServer } from '../../src/server/dev-server.js'
import { callTool, type ModelServer, say, startModelServer } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { startCli } from '../kit/processes.js'

const AGENTS = 'test/e2e/fixtures/agents.ts'
const KEY = 'sk-test-not-a-key'
/** Temporal's numbers of types. */
const [TEXT, INT] = [1, 3]

interface Answer {
  readonly code: number | null
  readonly ok: boolean
  /** By check: its findings, as `status text`. */
  readonly checks: Readonly<Record<string, readonly string[]>>
  readonly output: string
}

async function doctor(
  env: Readonly<Record<string, string | undefined>>,
  ...args: readonly string[]
): Promise<Answer> {
  const run = startCli(['doctor', '--json', ...args], { env: { OPENAI_API_KEY: '', ...env } })
  const code = await run.exited
  const { ok, checks } = JSON.parse(run.stdout()) as {
    ok: boolean
    checks: readonly { check: string; status: string; text: string; fix?: string }[]
  }
  const byName: Record<string, string[]> = {}
  for (const { check, status, text, fix } of checks) {
    byName[check] ??= []
    byName[check].push(`${status} ${text}${fix === undefined ? '' : ` → ${fix}`}`)
  }
  return { code, ok, checks: byName, output: run.stdout() + run.stderr() }
}

async function modelServer(options: { readonly apiKey?: string } = {}): Promise<ModelServer> {
  const server = await startModelServer({ respond: () => say('ok'), ...options })
  onTestFinished(() => server.close())
  return server
}

/** A namespace of the test's own on the shared server, with no attributes in it. */
async function namespace() {
  const { address } = inject('temporal')
  const connection = await Connection.connect({ address })
  onTestFinished(() => connection.close())
  const name = `doctor-${randomUUID()}`
  await connection.workflowService.registerNamespace({
    namespace: name,
    workflowExecutionRetentionPeriod: { seconds: 86_400 } as never,
  })
  const env = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: name }
  const add = (searchAttributes: Record<string, number>) =>
    connection.operatorService.addSearchAttributes({ namespace: name, searchAttributes })
  return { name, env, add }
}

async function setup(env: Readonly<Record<string, string>>) {
  const run = startCli(['setup'], { env })
  return { code: await run.exited, lines: run.stdout().trim().split('\n') }
}

test('a set-up in order is ok: every check says what it saw, and no key is shown', async () => {
  const { taskQueue, client } = await startHarness({
    agents: [testAgent({ limits: { maxSteps: 30 } })],
    respond: ({ messages }) =>
      messages.filter(({ role }) => role === 'tool').length < 15
        ? callTool('lookup', { id: `A${messages.length}` })
        : say('done'),
  })
  await (await client.start('test-agent', { input: 'Go' })).result()
  const model = await modelServer({ apiKey: KEY })
  const env = {
    TEMPORAL_ADDRESS: inject('temporal').address,
    PERDURE_TASK_QUEUE: taskQueue,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: KEY,
  }
  // A run is in the list a moment after it has begun.
  await expect
    .poll(async () => (await doctor(env, '--no-completion')).checks['tuning'], { timeout: 60_000 })
    .toEqual([expect.stringMatching(/^(ok|warn) a task waits \d+ ms/)])
  const { code, ok, checks, output } = await doctor(env, '--agents', AGENTS)
  expect(checks).toMatchObject({
    server: [expect.stringMatching(/^ok Temporal \d+\.\d+\.\d+.* answers at /)],
    namespace: [expect.stringContaining('ok "default" keeps runs for 1 d')],
    'search attributes': [expect.stringMatching(/^ok all \d are registered/)],
    workers: [expect.stringMatching(/^ok 1 worker polls .*@/)],
    clock: [expect.stringMatching(/^ok this machine is \d+ ms (ahead of|behind) the server/)],
    agents: ['ok 2 agents: one-step, test-agent; 1 tool'],
    lint: [expect.stringContaining('warn lookup of one-step, test-agent: nothing describes id')],
    model: [`ok ${model.url} answers and takes the key`],
    completion: [expect.stringContaining('ok test-model answered in ')],
  })
  expect({ code, ok }).toEqual({ code: 0, ok: true })
  expect(model.requests).toHaveLength(1)
  expect(output).not.toContain(KEY)
})

test('a server that is down is one line, and what needs it is skipped', async () => {
  const model = await modelServer()
  const env = { OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'test-model' }
  const { code, ok, checks } = await doctor(env, '--address', '127.0.0.1:1')
  expect(checks).toMatchObject({
    server: [expect.stringContaining('fail no connection to Temporal at 127.0.0.1:1')],
    namespace: [expect.stringMatching(/^skip .*"server"/)],
    workers: [expect.stringMatching(/^skip /)],
    model: [expect.stringMatching(/^ok /)],
    completion: [expect.stringMatching(/^ok /)],
  })
  expect({ code, ok }).toEqual({ code: 1, ok: false })
})

test('no worker, a namespace that is none and a bad key fail, and say what to do', async () => {
  const model = await modelServer({ apiKey: 'another' })
  const env = {
    TEMPORAL_ADDRESS: inject('temporal').address,
    PERDURE_TASK_QUEUE: `nobody-${randomUUID()}`,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: KEY,
  }
  const idle = await doctor(env, '--agents', AGENTS)
  expect(idle.checks).toMatchObject({
    workers: [expect.stringMatching(/^fail no worker polls .* → start one: perdure worker/)],
    model: [expect.stringMatching(/^fail .* refuses the key.* → check OPENAI_API_KEY/)],
    completion: [expect.stringMatching(/^skip /)],
  })
  expect(idle.code).toBe(1)
  expect(idle.output).not.toContain(KEY)
  const nowhere = await doctor(env, '--namespace', 'nowhere', '--no-completion')
  expect(nowhere.checks).toMatchObject({
    namespace: [expect.stringMatching(/^fail there is no "nowhere" → /)],
    workers: [expect.stringMatching(/^skip /)],
  })
})

test('missing attributes are a warning, set-up registers them, and again changes nothing', async () => {
  const { env, name } = await namespace()
  const before = await doctor(env)
  expect(before.checks['search attributes']).toEqual([
    expect.stringMatching(/^warn not registered: PerdureAgent, .* → run: perdure setup$/),
  ])
  const first = await setup(env)
  expect(first.code).toBe(0)
  expect(first.lines).toHaveLength(Object.keys(SEARCH_ATTRIBUTES).length)
  for (const line of first.lines) expect(line).toMatch(/^ok {4}Perdure\w+ +\w+, registered$/)
  const again = startCli(['setup', '--json'], { env })
  expect(await again.exited).toBe(0)
  expect(JSON.parse(again.stdout())).toMatchObject({
    ok: true,
    namespace: name,
    attributes: Object.entries(SEARCH_ATTRIBUTES).map(([attribute, type]) => ({
      name: attribute,
      type,
      status: 'there',
    })),
  })
  const after = await doctor(env)
  expect(after.checks['search attributes']).toEqual([expect.stringMatching(/^ok all/)])
})

test('an attribute of another type fails both, which name it, and the others are registered', async () => {
  const { env, add } = await namespace()
  await add({ PerdureAgent: TEXT })
  const { code, lines } = await setup(env)
  expect(code).toBe(1)
  expect(lines[0]).toMatch(/^fail {2}PerdureAgent +is Text, and must be Keyword → remove it/)
  for (const line of lines.slice(1)) expect(line).toMatch(/registered$/)
  const seen = await doctor(env)
  expect(seen.checks['search attributes']).toEqual([
    expect.stringMatching(/^fail PerdureAgent is Text, and must be Keyword → remove it/),
  ])
  expect(seen.code).toBe(1)
})

test('a namespace that has all the Int attributes that it can have says so', async () => {
  const { env, add } = await namespace()
  await add({ A: INT, B: INT })
  const { code, lines } = await setup(env)
  expect(code).toBe(1)
  expect(lines.filter((line) => line.startsWith('fail'))).toEqual([
    expect.stringMatching(/PerdureTokens +missing \(Int\): .*more than 3 .* → .*3 of type Int/),
  ])
})

test('a server that is not tuned shows in the waits of busy runs', async () => {
  const config = serverConfig()
  const server = await startDevServer({
    ...config,
    address: undefined,
    headless: true,
    dynamicConfig: { 'history.transferProcessorMaxPollRPS': 20 },
  })
  onTestFinished(() => server.stop())
  const { address } = server
  const { taskQueue } = await startHarness({
    address,
    agents: [testAgent({ limits: { maxSteps: 30 } })],
    respond: ({ messages }) =>
      messages.filter(({ role }) => role === 'tool').length < 20
        ? callTool('lookup', { id: `A${messages.length}` })
        : say('done'),
  })
  const client = await AgentClient.connect({ address, environment: false, taskQueue })
  onTestFinished(() => client.close())
  const runs = Array.from({ length: 4 }, () => client.start('test-agent', { input: 'Go' }))
  for (const run of await Promise.all(runs)) await run.result()
  const { checks, code } = await doctor(
    { TEMPORAL_ADDRESS: address, PERDURE_TASK_QUEUE: taskQueue },
    '--no-completion',
  )
  expect(checks['tuning']).toEqual([expect.stringMatching(/^warn a task waits \d+ ms/)])
  // A warning is no failure.
  expect(code).toBe(0)
})
