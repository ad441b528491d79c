import type { OrderStatus } from './schema.js'
import { day, SHOP_TODAY } from './shop-clock.js'

/** One entry of the carrier's tracking list. */
export interface SeedScan {
  readonly order_id: string
  readonly at: string
  readonly place: string
  readonly event: string
}

type Leg = readonly [place: string, event: string]

const PICKED_UP: Leg = ['Leipzig, DE', 'Picked up from the sender']
const SORTED: Leg = ['Nuremberg, DE', 'Sorted in the parcel centre']
const OUT: Leg = ['Munich, DE', 'Out for delivery']
const DELIVERED: Leg = ['Munich, DE', 'Delivered']

/** What the carrier saw of an order in each state; states that are left out were never handed over. */
const LEGS: Partial<Record<OrderStatus, readonly Leg[]>> = {
  shipped: [PICKED_UP],
  in_transit: [PICKED_UP, SORTED],
  delayed: [PICKED_UP, SORTED, ['Nuremberg, DE', 'Delayed: sorted to the wrong depot']],
  delivered: [PICKED_UP, SORTED, OUT, DELIVERED],
  lost: [PICKED_UP, SORTED, ['Nuremberg, DE', 'Lost: the search has ended']],
  returned: [PICKED_UP, SORTED, OUT, DELIVERED, ['Leipzig, DE', 'Returned to the sender']],
}

/** The carrier's scans of an order, one every 12 hours from the day after it was placed. */
export function scansOf(order: {
  readonly id: string
  readonly status: OrderStatus
  readonly placed_at: string
}): SeedScan[] {
  const placed = (Date.parse(order.placed_at) - SHOP_TODAY.getTime()) / (24 * 60 * 60 * 1_000)
  return (LEGS[order.status] ?? []).map(([place, event], index) => ({
    order_id: order.id,
    at: day(placed + 1 + index / 2),
    place,
    event,
  }))
}
