import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createShop } from '../../examples/after-sales/shop.js'
import { AgentClient } from '../../src/client.js'
import {
  callTool,
  hang,
  type ModelServer,
  type Reply,
  say,
  startModelServer,
} from '../../src/testing/index.js'
import { runsThatHold } from '../kit/no-secret.js'
import { startCli, type TestProcess } from '../kit/processes.js'

const ORDER = { orderId: 'A1001' }

/** Which strategy fits: asked once, before the first step. */
const CHOICE = say('waiting')

/** Six steps: three reads, a refund, an e-mail, the answer. */
const STEPS: readonly Reply[] = [
  callTool('lookup_order', ORDER),
  callTool('track_shipment', ORDER),
  callTool('refund_policy', ORDER),
  callTool('issue_refund', { ...ORDER, amountCents: 12_900, reason: 'It is late.' }),
  callTool('send_email', { subject: 'Your refund', body: 'It is on its way.' }),
  say('Refunded, and you have mail.'),
]

/**
 * With a 2 s heartbeat and a 1 s sticky time-out: recovery in 7 s, and a second for what was left. From the
 * moment that the second worker polls: how long a process takes to start says nothing of recovery.
 */
const WITHIN_MS = 7_000 + 1_000

interface Shop {
  readonly model: ModelServer
  readonly client: AgentClient
  /** Path of the fixture's hold and log files. */
  readonly hold: string
  readonly dir: string
  startWorker(...args: string[]): Promise<TestProcess>
}

async function startShop(script: readonly Reply[]): Promise<Shop> {
  const dir = await mkdtemp(join(tmpdir(), 'perdure-crash-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const model = await startModelServer({ script: [CHOICE, ...script] })
  onTestFinished(() => model.close())
  const { address } = inject('temporal')
  const taskQueue = `crash-${randomUUID()}`
  const client = await AgentClient.connect({ address, taskQueue })
  onTestFinished(() => client.close())
  const hold = join(dir, 'refund')
  const env = {
    TEMPORAL_ADDRESS: address,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: KEY,
    DATABASE_URL: undefined,
    PERDURE_DIR: dir,
    TEST_HOLD: hold,
  }
  const agents = resolve('test/e2e/fixtures/held-shop.ts')
  const quick = ['--heartbeat-timeout', '2s', '--sticky-timeout', '1s', '--grace-time', '2s']
  const startWorker = async (...args: string[]) => {
    const queue = ['--agents', agents, '--task-queue', taskQueue]
    const worker = startCli(['worker', ...queue, ...quick, ...args], { env })
    await worker.says('polls task queue')
    return worker
  }
  onTestFinished(async () => {
    expect((await runsThatHold(KEY, { address, taskQueue })).leaks).toEqual([])
  })
  // The embedded database takes seconds to make; a heartbeat of 2 s would count them as death.
  const shop = createShop({ dir: join(dir, 'after-sales') })
  await shop.database()
  await shop.close()
  return { model, client, hold, dir, startWorker }
}

const KEY = 'sk-crash-not-a-key'

/** What the tools wrote, read once no worker has the embedded database any more. */
async function written(dir: string): Promise<{ refunds: number; emails: number }> {
  const shop = createShop({ dir: join(dir, 'after-sales') })
  const database = await shop.database()
  const [count] = await database.query<{ refunds: number; emails: number }>(
    `SELECT (SELECT count(*)::int FROM refunds WHERE idempotency_key NOT LIKE 'seed/%') AS refunds,
            (SELECT count(*)::int FROM outbox) AS emails`,
  )
  await shop.close()
  return count ?? { refunds: -1, emails: -1 }
}

/** The idempotency key of each call that got to its end, in order. */
async function keysOf(hold: string): Promise<string[]> {
  const log = existsSync(`${hold}.log`) ? await readFile(`${hold}.log`, 'utf8') : ''
  return log.split('\n').slice(0, -1)
}

async function ended(worker: TestProcess): Promise<number | null> {
  worker.signal('SIGTERM')
  return await worker.exited
}

const RUN = { input: 'Refund A1001 and email me.', context: { customerId: 'c7' } }

test('kill -9 in the middle of a refund: another worker finishes the run, and it is paid once', async () => {
  const { model, client, hold, dir, startWorker } = await startShop(STEPS)
  await writeFile(`${hold}.hold`, '')
  const first = await startWorker()
  const run = await client.start('after-sales', RUN)
  // The whole line: a file is there before its first byte is.
  await expect.poll(async () => (await keysOf(hold)).length, { timeout: 20_000 }).toBe(1)
  first.signal('SIGKILL')
  await first.exited
  await rm(`${hold}.hold`)
  const second = await startWorker()
  const there = Date.now()
  expect(await run.result()).toMatchObject({
    stopReason: 'answered',
    answer: 'Refunded, and you have mail.',
    steps: 6,
  })
  expect(Date.now() - there).toBeLessThan(WITHIN_MS)
  // No finished step was asked again.
  expect(model.requests.map(({ status }) => status)).toEqual(Array(7).fill(200))
  const keys = await keysOf(hold)
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
  expect(await ended(second)).toBe(0)
  expect(await written(dir)).toEqual({ refunds: 1, emails: 1 })
})

test('kill -9 in the middle of a model call: only that call is made again', async () => {
  const script = [...STEPS.slice(0, 4), hang(), ...STEPS.slice(4)]
  const { model, client, dir, startWorker } = await startShop(script)
  const first = await startWorker()
  const run = await client.start('after-sales', RUN)
  await model.waitFor(6, { timeoutMs: 20_000 })
  first.signal('SIGKILL')
  await first.exited
  const second = await startWorker()
  const there = Date.now()
  expect(await run.result()).toMatchObject({ stopReason: 'answered', steps: 6 })
  expect(Date.now() - there).toBeLessThan(WITHIN_MS)
  expect(model.requests).toHaveLength(8)
  // The new worker has seen nothing of the run, and asks with the very same conversation.
  expect(model.requests[6]?.body).toEqual(model.requests[5]?.body)
  expect(await ended(second)).toBe(0)
  expect(await written(dir)).toEqual({ refunds: 1, emails: 1 })
})

test('SIGTERM to the only worker in mid-run: it ends within its grace period, the next one loses no step', async () => {
  const script = [...STEPS.slice(0, 2), hang(), ...STEPS.slice(2)]
  const { model, client, dir, startWorker } = await startShop(script)
  const first = await startWorker()
  const run = await client.start('after-sales', RUN)
  await model.waitFor(4, { timeoutMs: 20_000 })
  const told = Date.now()
  expect(await ended(first)).toBe(0)
  // 2 s of grace for the hanging call, and the rest for a process that ends.
  expect(Date.now() - told).toBeLessThan(4_000)
  const second = await startWorker()
  expect(await run.result()).toMatchObject({ stopReason: 'answered', steps: 6 })
  expect(model.requests).toHaveLength(8)
  expect(await ended(second)).toBe(0)
  expect(await written(dir)).toEqual({ refunds: 1, emails: 1 })
})

test('SIGTERM to a worker that has just taken a run over: nothing hangs, no step is lost', async () => {
  const script = [...STEPS.slice(0, 2), hang(), ...STEPS.slice(2)]
  const { model, client, dir, startWorker } = await startShop(script)
  const first = await startWorker()
  const run = await client.start('after-sales', RUN)
  await model.waitFor(4, { timeoutMs: 20_000 })
  first.signal('SIGKILL')
  await first.exited
  const second = await startWorker()
  const handle = client.client.workflow.getHandle(run.id)
  // The second worker has the call's next attempt, with a cold cache.
  await expect
    .poll(async () => (await handle.describe()).raw.pendingActivities?.[0]?.attempt, {
      timeout: 20_000,
      interval: 10,
    })
    .toBe(2)
  const told = Date.now()
  expect(await ended(second)).toBe(0)
  expect(Date.now() - told).toBeLessThan(5_000)
  const third = await startWorker()
  expect(await run.result()).toMatchObject({ stopReason: 'answered', steps: 6 })
  // Each of the steps that were answered was asked once; the hanging one once more, or twice.
  expect(model.requests.filter(({ status }) => status === 200)).toHaveLength(7)
  expect(await ended(third)).toBe(0)
  expect(await written(dir)).toEqual({ refunds: 1, emails: 1 })
})
