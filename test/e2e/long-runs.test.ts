import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { AgentClient } from '../../src/client.js'
import { serverConfig } from '../../src/config.js'
import {
  type ChatRequest,
  callTool,
  callTools,
  hang,
  type ModelServer,
  type Respond,
  say,
  startDevServer,
  startModelServer,
} from '../../src/testing/index.js'
import { startCli, type TestProcess } from '../kit/processes.js'

/**
 * With a 2 s heartbeat and a 1 s sticky time-out: recovery in 7 s, and as much again for what was left, of
 * four runs on two cores.
 */
const WITHIN_MS = 7_000 + 7_000
/** A local activity is part of its workflow task, which the server takes for lost after 10 s. */
const WITHIN_TASK_MS = 10_000 + 7_000

interface Stage {
  readonly model: ModelServer
  readonly client: AgentClient
  /** Path of the fixture's hold and log files. */
  readonly hold: string
  startWorker(): Promise<TestProcess>
  /** How often each call began, by run and number. */
  calls(): Promise<Record<string, number>>
}

async function startStage(respond: Respond, address: string): Promise<Stage> {
  const dir = await mkdtemp(join(tmpdir(), 'perdure-long-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const model = await startModelServer({ respond })
  onTestFinished(() => model.close())
  const taskQueue = `long-${randomUUID()}`
  const client = await AgentClient.connect({ address, taskQueue })
  onTestFinished(() => client.close())
  const hold = join(dir, 'call')
  const env = {
    TEMPORAL_ADDRESS: address,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: undefined,
    OPENAI_MODEL: undefined,
    TEST_HOLD: hold,
  }
  const agents = resolve('test/e2e/fixtures/noting-agents.ts')
  const quick = ['--heartbeat-timeout', '2s', '--sticky-timeout', '1s', '--grace-time', '2s']
  return {
    model,
    client,
    hold,
    startWorker: async () => {
      const queue = ['--agents', agents, '--task-queue', taskQueue]
      const worker = startCli(['worker', ...queue, ...quick], { env })
      await worker.says('polls task queue')
      return worker
    },
    calls: async () => {
      const counts: Record<string, number> = {}
      const text = existsSync(`${hold}.log`) ? await readFile(`${hold}.log`, 'utf8') : ''
      for (const line of text.split('\n').slice(0, -1)) counts[line] = (counts[line] ?? 0) + 1
      return counts
    },
  }
}

const isSummary = ({ tools }: ChatRequest) => tools === undefined

test('kill -9 in the middle of a summary: it is asked for once more, and nothing else is', async () => {
  let steps = 0
  let summaries = 0
  const { model, client, startWorker, calls } = await startStage((request) => {
    if (isSummary(request)) return summaries++ === 0 ? hang() : say('One and two were noted.')
    return steps++ < 2 ? callTool('note', { run: 'a', n: steps }) : say('Both are noted.')
  }, inject('temporal').address)
  const first = await startWorker()
  const run = await client.start('forgetful', { input: 'Note one and two.' })
  await model.waitFor(3, { timeoutMs: 20_000 })
  first.signal('SIGKILL')
  await first.exited
  await startWorker()
  const there = Date.now()
  expect(await run.result()).toMatchObject({
    stopReason: 'answered',
    answer: 'Both are noted.',
    steps: 3,
    usage: { modelCalls: 4 },
  })
  expect(Date.now() - there).toBeLessThan(WITHIN_MS)
  const asked = model.requests.map(({ body }) => body)
  expect(asked.map(isSummary)).toEqual([false, false, true, true, false])
  expect(asked[3]).toEqual(asked[2])
  expect(JSON.stringify(asked[4])).toContain('One and two were noted.')
  expect(await calls()).toEqual({ 'a 1': 1, 'a 2': 1 })
})

test('kill -9 with local tools: the reads of the unfinished step are done again, and no model call', async () => {
  const both = (a: number, b: number) =>
    callTools([a, b].map((n) => ({ name: 'quick', args: { run: 'a', n } })))
  const replies = [both(1, 2), both(3, 4), both(5, 6), say('All are noted.')]
  const { model, client, hold, startWorker, calls } = await startStage(
    (_, { index }) => replies[index] ?? say('one too many'),
    inject('temporal').address,
  )
  await writeFile(`${hold}.4`, '')
  const first = await startWorker()
  const run = await client.start('noting', { input: 'Note one to six.' })
  await expect.poll(calls, { timeout: 20_000 }).toMatchObject({ 'a 4': 1 })
  first.signal('SIGKILL')
  await first.exited
  await rm(`${hold}.4`)
  await startWorker()
  const there = Date.now()
  expect(await run.result()).toMatchObject({ answer: 'All are noted.', usage: { modelCalls: 4 } })
  expect(Date.now() - there).toBeLessThan(WITHIN_TASK_MS)
  expect(model.requests).toHaveLength(4)
  expect(await calls()).toEqual({ 'a 1': 1, 'a 2': 1, 'a 3': 2, 'a 4': 2, 'a 5': 1, 'a 6': 1 })
  const told = (await run.steps()).flatMap((step) => step.calls)
  expect(told.map(({ status, observation }) => `${status} ${observation}`)).toEqual(
    [1, 2, 3, 4, 5, 6].map((n) => `ok noted ${n}`),
  )
})

test('kill -9 at the moment of continue-as-new: the chains go on, and lose nothing', async () => {
  const { path, dir } = serverConfig()
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 40 }
  const server = await startDevServer({ path, dir, headless: true, dynamicConfig })
  onTestFinished(() => server.kill())
  const goal = ({ messages }: ChatRequest) => String(messages[1]?.content)
  const { model, client, startWorker, calls } = await startStage((request) => {
    const n = request.messages.length / 2
    return n <= 9 ? callTool('note', { run: goal(request), n }) : say('noted')
  }, server.address)
  const first = await startWorker()
  const names = ['a', 'b', 'c', 'd']
  const runs = await Promise.all(names.map((input) => client.start('noting', { input })))
  const newest = async () => {
    const handles = runs.map(({ id }) => client.client.workflow.getHandle(id))
    return (await Promise.all(handles.map((handle) => handle.describe()))).map(({ runId }) => runId)
  }
  const begun = await newest()
  // Of four runs side by side, some are right before it, some right after.
  await expect.poll(newest, { timeout: 20_000, interval: 5 }).not.toEqual(begun)
  first.signal('SIGKILL')
  await first.exited
  await startWorker()
  const there = Date.now()
  const results = await Promise.all(runs.map((run) => run.result()))
  expect(Date.now() - there).toBeLessThan(WITHIN_MS)
  expect(results).toMatchObject(
    runs.map(() => ({ stopReason: 'answered', steps: 10, usage: { modelCalls: 10 } })),
  )
  const counts = await calls()
  for (const [i, run] of runs.entries()) {
    const steps = await run.steps()
    expect(steps.map(({ step, status }) => `${step} ${status}`)).toEqual(
      Array.from({ length: 10 }, (_, n) => `${n + 1} done`),
    )
    // Each with all that came before; only what was under way is asked once more.
    const asked = model.requests.filter(({ body }) => goal(body) === names[i])
    const lengths = asked.map(({ body }) => body.messages.length)
    expect([...new Set(lengths)]).toEqual(Array.from({ length: 10 }, (_, n) => 2 + 2 * n))
    const noted = Array.from({ length: 9 }, (_, n) => counts[`${names[i]} ${n + 1}`] ?? 0)
    expect(Math.min(...noted)).toBe(1)
    const again = lengths.length - 10 + noted.reduce((sum, count) => sum + count - 1, 0)
    expect(again).toBeLessThanOrEqual(1)
  }
})
