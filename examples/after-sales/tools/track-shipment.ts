import { z } from 'zod'
import { defineTool } from '../../../src/index.js'
import { customer, orderNumber } from '../customer.js'
import { findOrder } from '../orders.js'
import type { Shop } from '../shop.js'

/** Reads the carrier's tracking list of one order of the customer. */
export function trackShipment(shop: Shop) {
  return defineTool({
    name: 'track_shipment',
    description:
      'Use when the customer asks where a parcel is, or why it is late. Gives the scans of the carrier, oldest first; none when it was not handed over yet.',
    input: z.object({ orderId: orderNumber }),
    context: customer,
    annotations: { readOnlyHint: true },
    timeout: '20s',
    execute: async ({ orderId }, { context }) => {
      const database = await shop.database()
      const order = await findOrder(database, orderId, context.customerId)
      const [parcel] = await database.query<{ carrier: string; tracking_code: string }>(
        'SELECT carrier, tracking_code FROM shipments WHERE order_id = $1',
        [order.id],
      )
      if (parcel === undefined) {
        return { orderId: order.id, handedOver: false, note: order.note, scans: [] }
      }
      const scans = await database.query<{ at: Date; place: string; event: string }>(
        'SELECT at, place, event FROM scans WHERE order_id = $1 ORDER BY at',
        [order.id],
      )
      return {
        orderId: order.id,
        handedOver: true,
        carrier: parcel.carrier,
        trackingCode: parcel.tracking_code,
        scans: scans.map(({ at, place, event }) => ({ at: at.toISOString(), place, event })),
      }
    },
  })
}
