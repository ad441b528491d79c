import { z } from 'zod'
import { defineTool } from '../../../src/index.js'
import { customer, orderNumber } from '../customer.js'
import { findOrder, money } from '../orders.js'
import { isLate } from '../refund-terms.js'
import type { Shop } from '../shop.js'
import { dateOf, SHOP_TODAY } from '../shop-clock.js'

/** What names an order. */
export const orderInput = z.object({ orderId: orderNumber })

/** Reads one order of the customer. */
export function lookupOrder(shop: Shop) {
  return defineTool({
    name: 'lookup_order',
    description:
      'Use first, whenever the customer asks about an order: what was ordered, its state, what was promised and whether it is late.',
    input: orderInput,
    context: customer,
    annotations: { readOnlyHint: true },
    timeout: '20s',
    execute: ({ orderId }, { context }) => orderReport(shop, orderId, context.customerId),
  })
}

/**
 * An order as a model reads it.
 *
 * @throws ToolError when the customer has none of that number
 */
export async function orderReport(shop: Shop, orderId: string, customerId: string) {
  const order = await findOrder(await shop.database(), orderId, customerId)
  return {
    orderId: order.id,
    item: order.item,
    status: order.status,
    total: money(order.total_cents, order.currency),
    totalCents: order.total_cents,
    refundedCents: order.refunded_cents,
    placed: dateOf(order.placed_at),
    promised: dateOf(order.promised_at),
    today: dateOf(SHOP_TODAY),
    late: isLate(order),
    note: order.note,
  }
}
