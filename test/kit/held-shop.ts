import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { createShop } from '../../examples/after-sales/shop.js'
import { AgentClient } from '../../src/client.js'
import {
  callTool,
  type ModelServer,
  type ModelServerOptions,
  type Reply,
  say,
  startModelServer,
} from '../../src/testing/index.js'
import { runsThatHold } from './no-secret.js'
import { startCli, type TestProcess } from './processes.js'

const ORDER = { orderId: 'A1001' }

/** Six steps: three reads, a refund, an e-mail, the answer. */
export const STEPS: readonly Reply[] = [
  callTool('lookup_order', ORDER),
  callTool('track_shipment', ORDER),
  callTool('refund_policy', ORDER),
  callTool('issue_refund', { ...ORDER, amountCents: 8_900, reason: 'It is late.' }),
  callTool('send_email', { subject: 'Your refund', body: 'It is on its way.' }),
  say('Refunded, and you have mail.'),
]

/** The run that {@link STEPS} are for. */
export const RUN = { input: 'Refund A1001 and email me.', context: { customerId: 'c7' } }

/** Of `perdure worker`: a dead one is found out in 2 s. */
export const QUICK = ['--heartbeat-timeout', '2s', '--sticky-timeout', '1s', '--grace-time', '2s']

const KEY = 'sk-crash-not-a-key'

/** The after-sales example as workers in processes, whose refund the test may hold after it was paid. */
export interface HeldShop {
  readonly model: ModelServer
  readonly client: AgentClient
  /** From now on refunds pay and do not return. */
  hold(): Promise<void>
  release(): Promise<void>
  /** The idempotency key of each refund that was paid, or found paid, in order. */
  paid(): Promise<string[]>
  /** What the tools wrote. The embedded database can be read once no worker has it any more. */
  written(): Promise<{ readonly refunds: number; readonly emails: number }>
  /** Starts `perdure worker` and waits until it polls. @default args QUICK */
  startWorker(args?: readonly string[]): Promise<TestProcess>
}

/** What {@link startHeldShop} takes. */
export interface HeldShopOptions {
  /** What the model says. */
  readonly model: ModelServerOptions
  /** The Temporal server. */
  readonly address: string
  /** A database on a PostgreSQL server. @default embedded, in a folder of the test's own */
  readonly databaseUrl?: string
}

/** A shop, a model and a client for one test, on a task queue of its own. */
export async function startHeldShop(options: HeldShopOptions): Promise<HeldShop> {
  const { address, databaseUrl: url } = options
  const dir = await mkdtemp(join(tmpdir(), 'perdure-crash-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const model = await startModelServer(options.model)
  onTestFinished(() => model.close())
  const taskQueue = `crash-${randomUUID()}`
  const client = await AgentClient.connect({ address, taskQueue })
  onTestFinished(() => client.close())
  onTestFinished(async () => {
    expect((await runsThatHold(KEY, { address, taskQueue })).leaks).toEqual([])
  })
  const held = join(dir, 'refund')
  const env = {
    TEMPORAL_ADDRESS: address,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: KEY,
    DATABASE_URL: url,
    PERDURE_DIR: dir,
    TEST_HOLD: held,
  }
  const agents = ['--agents', resolve('test/e2e/fixtures/held-shop.ts')]
  const database = { url, dir: join(dir, 'after-sales') }
  // The embedded database takes seconds to make; a heartbeat of 2 s would count them as death.
  await countWritten(database)
  return {
    model,
    client,
    hold: () => writeFile(`${held}.hold`, ''),
    release: () => rm(`${held}.hold`),
    paid: async () => {
      const log = existsSync(`${held}.log`) ? await readFile(`${held}.log`, 'utf8') : ''
      // The last one is whole once its line has ended.
      return log.split('\n').slice(0, -1)
    },
    written: () => countWritten(database),
    startWorker: async (args = QUICK) => {
      const worker = startCli(['worker', ...agents, '--task-queue', taskQueue, ...args], { env })
      await worker.says('polls task queue')
      return worker
    },
  }
}

async function countWritten(settings: { readonly url: string | undefined; readonly dir: string }) {
  const shop = createShop(settings)
  const database = await shop.database()
  const [count] = await database.query<{ refunds: number; emails: number }>(
    `SELECT (SELECT count(*)::int FROM refunds WHERE idempotency_key NOT LIKE 'seed/%') AS refunds,
            (SELECT count(*)::int FROM outbox) AS emails`,
  )
  await shop.close()
  return count ?? { refunds: -1, emails: -1 }
}
