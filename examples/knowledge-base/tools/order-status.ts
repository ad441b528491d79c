import { defineTool } from '../../../src/index.js'
import { customer } from '../../after-sales/customer.js'
import type { Shop } from '../../after-sales/shop.js'
import { orderInput, orderReport } from '../../after-sales/tools/lookup-order.js'

/** Reads one order of the customer, from the shop of the after-sales example. */
export function orderStatus(shop: Shop) {
  return defineTool({
    name: 'order_status',
    description:
      'Use when the question is about an order of the customer, before you search for the rules that apply to it: its state, what was promised and whether it is late.',
    input: orderInput,
    context: customer,
    annotations: { readOnlyHint: true },
    timeout: '20s',
    execute: ({ orderId }, { context }) => orderReport(shop, orderId, context.customerId),
  })
}
