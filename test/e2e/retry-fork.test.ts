import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import {
  callTool,
  type ModelServer,
  type Reply,
  say,
  startModelServer,
  status,
} from '../../src/testing/index.js'
import { freshFolder } from '../kit/fresh-folder.js'
import { startCli, startProcess, type TestProcess } from '../kit/processes.js'

const AGENTS = 'test/e2e/fixtures/failing-agents.ts'
const OUT_OF_QUOTA = status(402)

interface Setup {
  readonly model: ModelServer
  readonly taskQueue: string
  readonly env: Readonly<Record<string, string>>
  cli(...args: string[]): TestProcess
  /** Starts a run and waits for its end. */
  run(agent: string): Promise<string>
}

/** A worker on a queue of its own, and the command line. */
async function setUp(...script: readonly Reply[]): Promise<Setup> {
  const model = await startModelServer({ script: [...script] })
  onTestFinished(() => model.close())
  const taskQueue = `retry-${randomUUID()}`
  const env = {
    TEMPORAL_ADDRESS: inject('temporal').address,
    OPENAI_BASE_URL: model.url,
    PERDURE_TASK_QUEUE: taskQueue,
  }
  const cli = (...args: string[]) => startCli(args, { env })
  await cli('worker', '--agents', AGENTS).says('polls task queue')
  const run = async (agent: string) => {
    const id = `${agent}-${randomUUID()}`
    await cli('run', agent, 'Go', '--id', id).exited
    return id
  }
  return { model, taskQueue, env, cli, run }
}

test('retry tells what is made again, asks where somebody can answer, and goes on', async () => {
  const { model, env, cli, run } = await setUp(
    callTool('pay', { cents: 100 }),
    OUT_OF_QUOTA,
    say('Paid.'),
  )
  const id = await run('payer')
  const plan = cli('retry', id, '--dry-run')
  expect(await plan.exited).toBe(0)
  expect(plan.stdout()).toContain(`run ${id} ended: model_error:`)
  expect(plan.stdout()).toContain('It goes on at step 2. Made again:')
  expect(plan.stdout()).toMatch(/model {2}\S+ · failed/)
  const alone = cli('retry', id)
  expect(await alone.exited).toBe(2)
  expect(alone.stderr()).toContain('add --yes')
  expect(model.requests).toHaveLength(2)
  const script = resolve('test/e2e/fixtures/terminal.py')
  const command = [process.execPath, '--import', 'tsx', resolve('src/cli.ts'), 'retry', id]
  const asked = startProcess('python3', [script, '[y/N]', ...command], {
    env: { ...env, PRESS: 'y\r' },
  })
  expect(await asked.exited).toBe(0)
  expect(asked.stdout()).toContain('pressed: True, exit code: 0')
  expect(asked.stdout()).toContain('Paid.')
  expect(model.requests).toHaveLength(3)
  const over = cli('retry', id, '--yes', '--json')
  expect(await over.exited).toBe(2)
  expect(JSON.parse(over.stdout())).toMatchObject({
    error: { name: 'RetryError', message: expect.stringContaining('it completed with "answered"') },
  })
})

test('after an outage, retry --query brings all that failed to their ends', async () => {
  const { model, taskQueue, cli, run } = await setUp(
    OUT_OF_QUOTA,
    OUT_OF_QUOTA,
    callTool('lookup', { id: 'A1' }),
    say('one'),
    say('two'),
  )
  const ids = [await run('payer'), await run('payer'), await run('strict')]
  const query = `TaskQueue = '${taskQueue}'`
  const look = async () => {
    const plan = cli('retry', '--query', query, '--dry-run', '--json')
    await plan.exited
    return JSON.parse(plan.stdout())
  }
  // Visibility is a moment behind.
  await expect
    .poll(look, { timeout: 60_000 })
    .toMatchObject({ plans: { length: 2 }, refused: [{ id: ids[2], reason: 'limit' }] })
  const retry = cli('retry', '--query', query, '--yes')
  // One of the three cannot be retried.
  expect(await retry.exited).toBe(1)
  expect(retry.stderr()).toContain('2 runs to retry, 1 run that cannot be')
  expect(retry.stderr()).toContain('Made again: 2 model calls, 0 tool calls')
  expect(retry.stdout()).toContain('2 retried, 1 not')
  await model.waitFor(5)
  for (const id of ids.slice(0, 2)) {
    const again = cli('run', 'payer', 'Go', '--id', id, '--json')
    expect(await again.exited).toBe(0)
    expect(JSON.parse(again.stdout())).toMatchObject({ stopReason: 'answered' })
  }
  expect(model.requests).toHaveLength(5)
})

test('fork finishes what a limit ended, and diff lays both beside each other', async () => {
  const { model, cli, run } = await setUp(
    callTool('lookup', { id: 'A1' }),
    callTool('lookup', { id: 'A2' }),
    say('Both are there.'),
  )
  const id = await run('strict')
  const retry = cli('retry', id, '--yes')
  expect(await retry.exited).toBe(2)
  expect(retry.stderr()).toContain(`perdure fork ${id} --limits max-steps=N`)
  const instructions = join(await freshFolder(), 'instructions.md')
  await writeFile(instructions, 'Look both up.')
  const forkId = `${id}-fork`
  const changes = ['--limits', 'max-steps=5', '--instructions', instructions]
  const fork = cli('fork', id, ...changes, '--observation', '1.1=A1 is sold.', '--id', forkId)
  expect(await fork.exited).toBe(0)
  expect(fork.stderr()).toContain(`a fork of ${id}: other instructions, other observation of 1.1`)
  expect(fork.stdout()).toContain('Both are there.')
  expect(model.requests[1]?.body?.messages).toMatchObject([
    { content: 'Look both up.' },
    { content: 'Go' },
    { role: 'assistant' },
    { role: 'tool', content: 'A1 is sold.' },
  ])
  const diff = cli('diff', id, forkId, '--json')
  expect(await diff.exited).toBe(0)
  expect(JSON.parse(diff.stdout())).toMatchObject({
    b: { forkedFrom: { id, step: 2 } },
    divergesAt: 1,
    steps: [
      { step: 1, same: false, a: { inherited: false }, b: { inherited: true } },
      { step: 2, a: null, b: { calls: [{ name: 'lookup', status: 'ok' }] } },
      { step: 3, a: null, b: { text: 'Both are there.', tokens: expect.any(Number) } },
    ],
  })
  const table = cli('diff', id, forkId)
  expect(await table.exited).toBe(0)
  expect(table.stdout()).toContain('they diverge at step 1')
  expect(table.stdout()).toMatch(/lookup\(id: "A1"\) +│ lookup\(id: "A1"\)/)
  expect(table.stdout()).toContain('→ A1 is sold.')
  expect(table.stdout()).toContain('2 steps and 1 inherited')
  const nobody = cli('diff', id, 'nobody')
  expect(await nobody.exited).toBe(2)
  expect(nobody.stderr()).toContain('There is no run "nobody"')
})
