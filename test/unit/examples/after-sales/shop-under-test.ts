import { afterAll, beforeAll } from 'vitest'
import { afterSalesAgent } from '../../../../examples/after-sales/agents.js'
import { createShop, type Shop } from '../../../../examples/after-sales/shop.js'
import { type Caller, callTool } from '../call-tool.js'
import type { TestPlace } from '../database/places.js'

/** Opens a fresh shop for the surrounding `describe`, and removes it afterwards. */
export function shopUnderTest(makePlace: () => Promise<TestPlace>) {
  let place: TestPlace
  let shop: Shop
  beforeAll(async () => {
    place = await makePlace()
    shop = createShop(place.settings)
    await shop.database()
    // The first opening creates a cluster: seconds on a busy machine.
  }, 60_000)
  afterAll(async () => {
    await shop.close()
    await place.remove()
  })

  const rows = async <T extends object>(sql: string, params: unknown[] = []) =>
    (await shop.database()).query<T>(sql, params)

  return {
    rows,
    call: (name: string, args: unknown, caller: Caller) =>
      callTool(afterSalesAgent(shop), { name, args, ...caller }),
    /** The first order in a state that meets a condition, and its customer. */
    orderIn: async (status: string, condition = 'true') => {
      const [order] = await rows<{ id: string; customer_id: string; total_cents: number }>(
        `SELECT id, customer_id, total_cents FROM orders
          WHERE status = $1 AND ${condition} ORDER BY id LIMIT 1`,
        [status],
      )
      if (order === undefined) throw new Error(`no ${status} order in the seed`)
      const { id, customer_id, total_cents } = order
      return { orderId: id, totalCents: total_cents, caller: { customerId: customer_id } }
    },
  }
}

/** What {@link shopUnderTest} gives to the tests. */
export type ShopUnderTest = ReturnType<typeof shopUnderTest>
