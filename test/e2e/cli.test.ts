import { randomUUID } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import {
  callTool,
  hang,
  type ModelServer,
  type Reply,
  say,
  startModelServer,
  status,
} from '../../src/testing/index.js'
import { runsThatHold } from '../kit/no-secret.js'
import { startCli, type TestProcess } from '../kit/processes.js'

const AGENTS = 'test/e2e/fixtures/agents.ts'
const KEY = 'sk-test-not-a-key'

interface Setup {
  readonly model: ModelServer
  readonly taskQueue: string
  /** Runs the CLI against the shared server. */
  cli(...args: string[]): TestProcess
}

async function setUp(script: readonly Reply[]): Promise<Setup> {
  const model = await startModelServer({ script: [...script] })
  onTestFinished(() => model.close())
  const taskQueue = `cli-${randomUUID()}`
  const env = {
    TEMPORAL_ADDRESS: inject('temporal').address,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: KEY,
    PERDURE_TASK_QUEUE: taskQueue,
  }
  // Of every run of these tests: the key in use is not in its history.
  onTestFinished(async () => {
    expect((await runsThatHold(KEY, { address: env.TEMPORAL_ADDRESS, taskQueue })).leaks).toEqual(
      [],
    )
  })
  return { model, taskQueue, cli: (...args) => startCli(args, { env }) }
}

test('a worker works, run prints steps and answer, show and list read them back', async () => {
  const { cli } = await setUp([callTool('lookup', { id: 'A1' }), say('A1 is there.')])
  const worker = cli('worker', '--agents', AGENTS)
  await worker.says('polls task queue')
  const id = `cli-${randomUUID()}`
  const run = cli('run', 'test-agent', 'Is A1 there?', '--id', id)
  expect(await run.exited).toBe(0)
  expect(run.stdout()).toContain('step 1')
  expect(run.stdout()).toContain('lookup(id: "A1")')
  expect(run.stdout()).toContain('→ {"id":"A1","found":true}')
  expect(run.stdout()).toMatch(/A1 is there\.\n\nanswered · 2 steps · \d+ tokens · \d+\.\d s/)

  const show = cli('show', id)
  expect(await show.exited).toBe(0)
  expect(show.stdout()).toContain('A1 is there.')
  const shown = cli('show', id, '--json')
  expect(await shown.exited).toBe(0)
  expect(JSON.parse(shown.stdout())).toMatchObject({
    id,
    status: 'completed',
    result: { stopReason: 'answered' },
    steps: [{ calls: [{ name: 'lookup', status: 'ok' }] }, { text: 'A1 is there.' }],
  })
  await expect
    .poll(
      async () => {
        const list = cli(
          'list',
          '--agent',
          'test-agent',
          '--query',
          `WorkflowId = '${id}'`,
          '--json',
        )
        await list.exited
        return JSON.parse(list.stdout())
      },
      { timeout: 20_000 },
    )
    .toMatchObject({
      runs: [{ id, agent: 'test-agent', status: 'completed', stopReason: 'answered' }],
    })
  worker.signal('SIGTERM')
  expect(await worker.exited).toBe(0)
})

test('run --json prints one document on stdout and nothing else there; --agents works the run itself', async () => {
  const { cli, model } = await setUp([callTool('lookup', { id: 'A1' }), say('done')])
  const context = '{"customerId":"c7"}'
  const run = cli('run', 'test-agent', 'Go', '--agents', AGENTS, '--context', context, '--json')
  expect(await run.exited).toBe(0)
  expect(JSON.parse(run.stdout())).toMatchObject({
    answer: 'done',
    stopReason: 'answered',
    steps: 2,
    usage: { modelCalls: 2 },
    id: expect.stringMatching(/^test-agent-/),
  })
  expect(run.stderr()).toContain('this process works the run')
  expect(model.requests).toHaveLength(2)
})

test('another stop reason than answered is exit code 3', async () => {
  const { cli } = await setUp([callTool('lookup', { id: 'A1' }), say('all that I have')])
  const run = cli('run', 'one-step', 'Go', '--agents', AGENTS, '--json')
  expect(await run.exited).toBe(3)
  expect(JSON.parse(run.stdout())).toMatchObject({ stopReason: 'max_steps' })
})

test('a failed run is exit code 1, and the JSON names run, reason and step', async () => {
  const { cli } = await setUp([status(401, { body: { error: { message: `bad key ${KEY}` } } })])
  const run = cli('run', 'test-agent', 'Go', '--agents', AGENTS, '--json')
  expect(await run.exited).toBe(1)
  expect(JSON.parse(run.stdout())).toMatchObject({
    error: { name: 'AgentRunError', reason: 'model_error', step: 1, id: expect.any(String) },
  })
  expect(run.stdout() + run.stderr()).not.toContain(KEY)
})

test('cancel ends a run; whoever waits for it gets exit code 1', async () => {
  const { cli, model } = await setUp([hang()])
  const id = `cli-${randomUUID()}`
  const run = cli('run', 'test-agent', 'Go', '--agents', AGENTS, '--id', id)
  await model.waitFor(1, { timeoutMs: 30_000 })
  const cancel = cli('cancel', id)
  expect(await cancel.exited).toBe(0)
  expect(await run.exited).toBe(1)
  expect(run.stderr()).toContain(`Run "${id}" was cancelled.`)
})

test('bad calls are exit code 2 and say what to do', async () => {
  const { cli } = await setUp([])
  const cases: [string[], string][] = [
    [['run', 'test-agent'], "missing required argument 'input'"],
    [['run', 'nobody', 'Go', '--agents', AGENTS], 'Its agents: one-step, test-agent.'],
    [['run', 'test-agent', 'Go', '--context', 'no json'], 'Give a JSON object'],
    [['worker'], "required option '--agents <file>' not specified"],
    [['worker', '--agents', 'nowhere.ts'], 'there is no file'],
    [['worker', '--agents', 'test/kit/gate.ts'], 'exports no agent'],
    [['show', `none-${randomUUID()}`], 'There is no run'],
    [['frobnicate'], "unknown command 'frobnicate'"],
  ]
  const runs = cases.map(([args]) => cli(...args))
  for (const [i, [args, text]] of cases.entries()) {
    expect(await runs[i]?.exited, args.join(' ')).toBe(2)
    expect(runs[i]?.stderr()).toContain(text)
    expect(runs[i]?.stdout()).toBe('')
  }
})

test('a worker without key and base URL fails at once, naming the variables', async () => {
  const env = { OPENAI_API_KEY: '', OPENAI_BASE_URL: undefined }
  const worker = startCli(['worker', '--agents', AGENTS], { env })
  expect(await worker.exited).toBe(2)
  expect(worker.stderr()).toContain('OPENAI_API_KEY')
  expect(worker.stderr()).toContain('OPENAI_BASE_URL')
})

test('every command has a help text', async () => {
  const commands =
    ', run, show, list, replay, export, cancel, retry, fork, diff, worker, dev, setup, doctor'.split(
      ', ',
    )
  const helps = commands.map((name) => startCli([...(name === '' ? [] : [name]), '--help']))
  for (const [i, help] of helps.entries()) {
    expect(await help.exited).toBe(0)
    expect(help.stdout()).toContain(`Usage: ${`perdure ${commands[i]}`.trim()}`)
  }
})
