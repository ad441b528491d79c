import { hostname } from 'node:os'
import { afterAll, expect, inject, test } from 'vitest'
import { createShop } from '../../examples/after-sales/shop.js'
import { standInReply } from '../../examples/after-sales/stand-in-model.js'
import { AgentClient, type RunHandle } from '../../src/client.js'
import { readyClusterId } from '../../src/server/server-health.js'
import { callTool, say } from '../../src/testing/index.js'
import { type HeldShop, QUICK, RUN, STEPS, startHeldShop } from '../kit/held-shop.js'
import { startProcess } from '../kit/processes.js'
import type { ClusterPlace } from './cluster.js'
import { crash } from './crash.js'
import { figure, printFigures } from './figures.js'
import { freshDatabase } from './fresh-database.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster that `npm run test:cluster` started. */
    cluster: ClusterPlace
  }
}

const { address, shopUrl, pidFiles } = inject('cluster')

afterAll(printFigures)

async function startShop(model: Parameters<typeof startHeldShop>[0]['model']): Promise<HeldShop> {
  const databaseUrl = await freshDatabase(inject('cluster'))
  return await startHeldShop({ model, address, databaseUrl })
}

function seconds(sinceMs: number): string {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`
}

/** Resolves once a refund was paid and its call does not return. */
async function untilPaid(shop: HeldShop): Promise<void> {
  await expect.poll(async () => (await shop.paid()).length, { timeout: 30_000 }).toBe(1)
}

/** The run was answered, no step asked twice, the money paid once, under one key. */
async function expectPaidOnce(shop: HeldShop, run: RunHandle): Promise<void> {
  expect(await run.result()).toMatchObject({
    stopReason: 'answered',
    answer: 'Refunded, and you have mail.',
    steps: 6,
  })
  expect(shop.model.requests.map(({ status }) => status)).toEqual(Array(6).fill(200))
  expect(new Set(await shop.paid()).size).toBe(1)
  expect(await shop.written()).toEqual({ refunds: 1, emails: 1 })
}

test('npm start answers on this cluster, its rows are in PostgreSQL, and the run is found by its stop reason', async () => {
  const question = 'Why has order A1001 not shipped? If it is late, refund it and email me.'
  const start = startProcess('npm', ['start', '--', question, '--once'], {
    env: {
      TEMPORAL_ADDRESS: address,
      DATABASE_URL: shopUrl,
      OPENAI_API_KEY: undefined,
      OPENAI_BASE_URL: undefined,
      OPENAI_MODEL: undefined,
    },
  })
  expect(await start.exited, start.stderr()).toBe(0)
  const id = /workflows\/(after-sales-[0-9a-f-]+)\//.exec(start.stdout())?.[1] ?? ''
  expect(start.stdout()).toMatch(/answered · 5 steps/)
  const shop = createShop({ url: shopUrl, dir: '' })
  const refunds = await (await shop.database()).query(
    `SELECT order_id, amount_cents FROM refunds WHERE idempotency_key NOT LIKE 'seed/%'`,
  )
  await shop.close()
  expect(refunds).toEqual([{ order_id: 'A1001', amount_cents: 8_900 }])
  const client = await AgentClient.connect({ address })
  const found = async () => {
    const ids = []
    const query = `PerdureStopReason = 'answered' AND PerdureSteps = 5`
    for await (const run of client.list({ query })) ids.push(run.id)
    return ids
  }
  // Visibility is written after the run's end.
  await expect.poll(found, { timeout: 20_000 }).toContain(id)
  await client.close()
})

test('20 runs at once on two workers want one refund: each is answered, both work, it is paid once', async () => {
  const shop = await startShop({ respond: standInReply })
  await Promise.all([shop.startWorker(), shop.startWorker()])
  const began = Date.now()
  const results = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const run = await shop.client.start('after-sales', {
        ...RUN,
        input: 'Why has order A1001 not shipped? If it is late, refund it.',
      })
      const { stopReason, steps } = await run.result()
      const { events } = await shop.client.client.workflow.getHandle(run.id).fetchHistory()
      const by = (events ?? []).map((event) => event.activityTaskStartedEventAttributes?.identity)
      return { stopReason, steps, by: by.filter((identity) => identity) }
    }),
  )
  const took = (Date.now() - began) / 1000
  expect(new Set(results.map(({ stopReason }) => stopReason))).toEqual(new Set(['answered']))
  expect(new Set(results.flatMap(({ by }) => by)).size).toBe(2)
  expect(await shop.written()).toMatchObject({ refunds: 1 })
  const steps = results.reduce((sum, result) => sum + result.steps, 0)
  figure('20 runs at once, two workers', `${(steps / took).toFixed(0)} steps/s`)
})

test('a run of 50 steps, for its time per step', async () => {
  const respond = (_: unknown, { index }: { readonly index: number }) =>
    index < 50 ? callTool('lookup', { id: `A${index}` }) : say('done')
  const shop = await startShop({ respond })
  await shop.startWorker()
  const run = await shop.client.start('stepper', { input: 'Go' })
  expect(await run.result()).toMatchObject({ stopReason: 'answered', steps: 51 })
  const handle = shop.client.client.workflow.getHandle(run.id)
  const { startTime, closeTime, historySize } = await handle.describe()
  const ms = (closeTime?.getTime() ?? Number.NaN) - startTime.getTime()
  figure('one run of 50 steps, model without latency', `${(ms / 51).toFixed(0)} ms/step`)
  figure('its history', `${((historySize ?? 0) / 1000).toFixed(0)} kB`)
})

const TIME_OUTS = [
  { name: 'heartbeat 2 s, sticky 1 s', args: QUICK, withinMs: 20_000 },
  { name: 'heartbeat 10 s, sticky 5 s, the defaults', args: [], withinMs: 40_000 },
]

for (const { name, args, withinMs } of TIME_OUTS) {
  test(`kill -9 of one of two workers in mid-refund (${name}): the other one finishes, it is paid once`, async () => {
    const shop = await startShop({ script: [...STEPS] })
    await shop.hold()
    const workers = await Promise.all([shop.startWorker(args), shop.startWorker(args)])
    const run = await shop.client.start('after-sales', RUN)
    await untilPaid(shop)
    const { raw } = await shop.client.client.workflow.getHandle(run.id).describe()
    const identity = raw.pendingActivities?.[0]?.lastWorkerIdentity
    const victim = workers.find(({ pid }) => identity === `${pid}@${hostname()}`)
    expect(victim).toBeDefined()
    victim?.signal('SIGKILL')
    const killed = Date.now()
    await victim?.exited
    await shop.release()
    await expectPaidOnce(shop, run)
    expect(Date.now() - killed).toBeLessThan(withinMs)
    expect(await shop.paid()).toHaveLength(2)
    figure(`kill -9 of a worker → answered (${name})`, seconds(killed))
  })
}

const CRASHES = [
  { how: 'kill -9 of the Temporal server', service: 'temporal', signal: 'SIGKILL' },
  { how: 'kill -9 of PostgreSQL', service: 'postgres', signal: 'SIGKILL' },
  { how: 'immediate stop of PostgreSQL', service: 'postgres', signal: 'SIGQUIT' },
] as const

for (const { how, service, signal } of CRASHES) {
  test(`${how} in mid-refund: restarted, the run finishes, it is paid once`, async () => {
    const shop = await startShop({ script: [...STEPS] })
    await shop.hold()
    await Promise.all([shop.startWorker(), shop.startWorker()])
    const run = await shop.client.start('after-sales', RUN)
    await untilPaid(shop)
    const killed = Date.now()
    const restarted = crash(pidFiles[service], signal)
    // The refund's answer comes while there is nobody to take it.
    await shop.release()
    await restarted
    await expect.poll(() => readyClusterId(address), { timeout: 60_000 }).toBeDefined()
    const ready = seconds(killed)
    await expectPaidOnce(shop, run)
    figure(`${how} → server ready again`, ready)
    figure(`${how} → answered`, seconds(killed))
  })
}
