import { z } from 'zod'
import { defineTool } from '../../../src/index.js'
import { customer, orderNumber } from '../customer.js'
import { findOrder, money } from '../orders.js'
import { REFUND_RULES, refundTerms } from '../refund-terms.js'
import type { Shop } from '../shop.js'

/** Tells what may be refunded, in general or for one order of the customer. */
export function refundPolicy(shop: Shop) {
  return defineTool({
    name: 'refund_policy',
    description:
      'Use before issue_refund, and when the customer asks about refunds: tells whether an order can be refunded, how much, and why.',
    input: z.object({ orderId: orderNumber.nullable().describe('The order; null for the rules.') }),
    context: customer,
    annotations: { readOnlyHint: true },
    timeout: '20s',
    execute: async ({ orderId }, { context }) => {
      if (orderId === null) return { rules: REFUND_RULES }
      const order = await findOrder(await shop.database(), orderId, context.customerId)
      const terms = refundTerms(order)
      return {
        orderId: order.id,
        ...terms,
        refundable: money(terms.refundableCents, order.currency),
        rules: REFUND_RULES,
      }
    },
  })
}
