import { randomUUID } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import { serverConfig } from '../../src/config.js'
import {
  callTool,
  hang,
  type ModelServer,
  type Reply,
  say,
  startDevServer,
  startModelServer,
  status,
} from '../../src/testing/index.js'
import { startCli, type TestProcess } from '../kit/processes.js'

const AGENTS = 'test/e2e/fixtures/agents.ts'

interface Setup {
  readonly id: string
  readonly model: ModelServer
  /** Runs the CLI against the server. */
  cli(...args: string[]): TestProcess
  /** Runs an agent of the fixtures to its end. */
  run(agent: string, ...args: string[]): Promise<number | null>
}

async function setUp(
  script: readonly Reply[],
  address = inject('temporal').address,
): Promise<Setup> {
  const model = await startModelServer({ script: [...script] })
  onTestFinished(() => model.close())
  const id = `show-${randomUUID()}`
  const env = {
    TEMPORAL_ADDRESS: address,
    OPENAI_BASE_URL: model.url,
    PERDURE_TASK_QUEUE: id,
  }
  const cli: Setup['cli'] = (...args) => startCli(args, { env })
  const run: Setup['run'] = (agent, ...args) =>
    cli('run', agent, 'Is A1 there?', '--agents', AGENTS, '--id', id, ...args).exited
  return { id, model, cli, run }
}

test('show prints a run from its question to its end, with no worker', async () => {
  const busy = status(503, { body: { error: { message: 'overloaded' } } })
  const { id, cli, run } = await setUp([busy, callTool('lookup', { id: 'A1' }), say('It is.')])
  expect(await run('test-agent')).toBe(0)
  const show = cli('show', id)
  expect(await show.exited).toBe(0)
  const [first, question, ...rest] = show.stdout().split('\n')
  expect(first).toBe(`test-agent · test-model · ${id}`)
  expect(question).toBe('Is A1 there?')
  const text = rest.join('\n')
  expect(text).toMatch(/step 1 · 1 call \d+ \+ \d+ tokens · \d+\.\d s · 2 attempts/)
  expect(text).toMatch(/tried again after: .*503.*overloaded/)
  expect(text).toContain('lookup(id: "A1")')
  expect(text).toMatch(/\nIt is\.\n\nanswered · 2 steps · \d+ tokens · \d+\.\d s\n/)
  expect(text).toMatch(/\n {2}test-model: 2 model calls · \d+ \+ \d+ tokens\n/)

  const shown = cli('show', id, '--json')
  expect(await shown.exited).toBe(0)
  expect(JSON.parse(shown.stdout())).toMatchObject({
    id,
    agent: 'test-agent',
    question: 'Is A1 there?',
    result: { answer: 'It is.' },
    steps: [{ retryCause: expect.stringContaining('503') }, { finish: 'stop' }],
    asides: [],
    usage: { modelCalls: 2 },
    usageByModel: { 'test-model': { modelCalls: 2 } },
    costUsd: null,
  })
})

test('show of a failed run says where and why, and what can be done', async () => {
  const { id, cli, run } = await setUp([
    callTool('lookup', { id: 'A1' }),
    status(401, { body: { error: { message: 'quota used up' } } }),
  ])
  expect(await run('test-agent')).toBe(1)
  const show = cli('show', id)
  expect(await show.exited).toBe(1)
  expect(show.stdout()).toMatch(/step 2 · model call failed: .*quota used up/)
  expect(show.stdout()).toMatch(/\nfailed: Run ".*" failed in step 2: model_error: .*quota used up/)
  expect(show.stdout()).toContain(`What can be done:\n  perdure retry ${id}\n`)
  expect(show.stdout()).toContain(`perdure fork ${id} --step 2 --model <model>\n`)
  const shown = cli('show', id, '--json')
  expect(await shown.exited).toBe(1)
  expect(JSON.parse(shown.stdout())).toMatchObject({
    status: 'failed',
    error: { name: 'AgentRunError', reason: 'model_error', step: 2 },
    next: [{ command: `perdure retry ${id}` }, {}, {}],
  })
})

test('show --follow prints a live run as it goes; Ctrl-C leaves the run alone', async () => {
  const { id, model, cli, run } = await setUp([callTool('lookup', { id: 'A1' }), hang()])
  const running = run('test-agent')
  await model.waitFor(2, { timeoutMs: 60_000 })
  const follow = cli('show', id, '--follow')
  await follow.says('→ {"id":"A1","found":true}')
  const once = cli('show', id)
  expect(await once.exited).toBe(0)
  expect(once.stdout()).toMatch(/\nrunning since .*\n {2}callModel: attempt 1 is running\n/)
  follow.signal('SIGINT')
  expect(await follow.exited).toBe(130)
  expect(follow.stderr()).toContain(`perdure show ${id} --follow`)

  const again = cli('show', id, '--follow')
  await again.says('step 1')
  expect(await cli('cancel', id).exited).toBe(0)
  expect(await again.exited).toBe(1)
  expect(again.stdout()).toContain(`cancelled: Run "${id}" was cancelled.`)
  expect(await running).toBe(1)
})

test('list filters by agent, status, stop reason, model and age, and sums up what it lists', async () => {
  const { id, cli, run } = await setUp([callTool('lookup', { id: 'A1' }), say('That is all.')])
  expect(await run('one-step')).toBe(3)
  const own = ['--query', `WorkflowId = '${id}'`]
  const list = async (...args: string[]) => {
    const listed = cli('list', ...own, ...args, '--json')
    expect(await listed.exited, listed.stderr()).toBe(0)
    return JSON.parse(listed.stdout()) as { runs: object[]; totals: object }
  }
  const filters = [
    ...['--agent', 'one-step', '--status', 'completed', '--reason', 'max_steps'],
    ...['--model', 'test-model', '--since', '1h'],
  ]
  await expect
    .poll(() => list(...filters), { timeout: 60_000 })
    .toMatchObject({
      runs: [{ id, model: 'test-model', stopReason: 'max_steps', steps: 1 }],
      totals: { runs: 1, runsWithTokens: 1, runsWithCost: 0 },
      isAll: true,
      missing: [],
    })
  const others = [
    ['--agent', 'test-agent'],
    ['--status', 'failed'],
    ['--reason', 'answered'],
    ['--model', "o'brien"],
  ]
  for (const other of others)
    expect(await list(...other), other.join(' ')).toMatchObject({ runs: [] })
  const text = cli('list', ...own)
  expect(await text.exited).toBe(0)
  expect(text.stdout()).toMatch(/Together, over 1 run: \d+ tokens\n$/)
})

test('list works without the search attributes, and says what is missing', async () => {
  const { path, dir } = serverConfig()
  const server = await startDevServer({ path, dir, headless: true, searchAttributes: {} })
  onTestFinished(() => server.kill())
  const { id, cli, run } = await setUp([say('Yes.')], server.address)
  expect(await run('test-agent')).toBe(0)
  await expect
    .poll(
      async () => {
        const list = cli('list', '--agent', 'test-agent', '--status', 'completed')
        await list.exited
        return list.stdout() + list.stderr()
      },
      { timeout: 60_000 },
    )
    .toMatch(
      new RegExp(`${id}[\\s\\S]*tokens and cost unknown\\n.*lacks PerdureModel.*perdure setup`),
    )
  const byReason = cli('list', '--reason', 'answered')
  expect(await byReason.exited).toBe(2)
  expect(byReason.stderr()).toMatch(
    /does not have the search attribute PerdureStopReason.*perdure setup/,
  )
})
