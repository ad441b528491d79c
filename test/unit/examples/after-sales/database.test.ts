import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLate } from '../../../../examples/after-sales/refund-terms.js'
import { ORDER_STATUSES, type OrderStatus } from '../../../../examples/after-sales/schema.js'
import { SEED_ORDERS } from '../../../../examples/after-sales/seed.js'
import { createShop } from '../../../../examples/after-sales/shop.js'
import { settingsFromEnv } from '../../../../examples/database/database.js'
import { lockFolder } from '../../../../examples/database/folder-lock.js'
import { embeddedPlace, places, type TestPlace } from '../database/places.js'

const HOLDER = fileURLToPath(new URL('./hold-folder.ts', import.meta.url))

/** Another process that has the folder open. */
async function holder(dir: string, sql: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', HOLDER, dir, sql], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`holder ended: ${code}`))),
  ])
  return child
}

// One folder for the whole file: each first opening of another would take seconds.
let folder: TestPlace
beforeAll(async () => {
  folder = await embeddedPlace()
})

describe('the folder of the embedded database', () => {
  it('is free at once after kill -9 of its process, and keeps what was written', async () => {
    const { dir } = folder.settings
    const child = await holder(dir, `UPDATE customers SET name = 'Written' WHERE id = 'c1'`)
    const patience = { noticeAfterMs: 10_000, giveUpAfterMs: 100 }
    await expect(lockFolder(dir, patience)).rejects.toThrow(
      /Stop the other one, or set DATABASE_URL/,
    )

    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
    const unlock = await lockFolder(dir, { giveUpAfterMs: 0 })
    unlock()

    const shop = createShop(folder.settings)
    const database = await shop.database()
    expect(await database.query(`SELECT name FROM customers WHERE id = 'c1'`)).toEqual([
      { name: 'Written' },
    ])
    await shop.close()
  }, 60_000)

  it('is waited for while another holds it', async () => {
    const { dir } = folder.settings
    const unlock = await lockFolder(dir)
    const waiting = lockFolder(dir)
    setTimeout(unlock, 120)
    const unlockAgain = await waiting
    unlockAgain()
  })
})

describe.each(places)('the shop in the %s database', (name, makePlace) => {
  let place: TestPlace
  beforeAll(async () => {
    place = name === 'embedded' ? folder : await makePlace()
  })
  afterAll(() => place.remove())

  it('is seeded once when two open it for the first time at once', async () => {
    const one = createShop(place.settings)
    // Embedded, the folder takes one process at a time; so the second asks the same shop.
    const two = name === 'embedded' ? one : createShop(place.settings)
    const [database] = await Promise.all([one.database(), two.database()])
    const [count] = await database.query('SELECT count(*)::int4 AS orders FROM orders')
    expect(count).toEqual({ orders: SEED_ORDERS })
    await Promise.all([one.close(), two.close()])
  })

  it('has orders in every state, and late ones in each that can be late', async () => {
    const shop = createShop(place.settings)
    const rows = await (await shop.database()).query<{ status: OrderStatus; promised_at: Date }>(
      'SELECT status, promised_at FROM orders',
    )
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(ORDER_STATUSES))
    expect(new Set(rows.filter(isLate).map(({ status }) => status))).toEqual(
      new Set(['paid', 'packed', 'shipped', 'in_transit', 'delayed', 'lost']),
    )
    await shop.close()
  })

  it('rolls a transaction back when its work fails', async () => {
    const shop = createShop(place.settings)
    const database = await shop.database()
    const work = database.transaction(async (sql) => {
      await sql.query('DELETE FROM scans')
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await database.query('SELECT 1 AS one FROM scans LIMIT 1')).toEqual([{ one: 1 }])
    await shop.close()
  })
})

describe('a shop', () => {
  it('tries again after an opening that failed', async () => {
    const shop = createShop({ url: 'postgres://nobody@127.0.0.1:1/none', dir: 'unused' })
    await expect(shop.database()).rejects.toThrow('does not answer')
    await expect(shop.database()).rejects.toThrow('does not answer')
    await shop.close()
  })

  it('takes its place from the environment', () => {
    expect(settingsFromEnv('after-sales', { DATABASE_URL: 'postgres://h/d' }).url).toBe(
      'postgres://h/d',
    )
    expect(settingsFromEnv('after-sales', { DATABASE_URL: '', PERDURE_DIR: '/data' })).toEqual({
      url: undefined,
      dir: '/data/after-sales',
    })
  })
})
