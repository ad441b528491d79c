import type { OrderRow } from './orders.js'
import { dateOf, SHOP_TODAY } from './shop-clock.js'

/** The shop's rules in words, for the model and for the customer. */
export const REFUND_RULES = [
  'Late: promised for a day that has passed and not delivered yet → refund of the price, at once.',
  'Lost by the carrier, or returned to us → refund of the price, at once.',
  'Delivered → send it back within 30 days; the refund follows when it has arrived.',
  'Pending or cancelled → nothing was paid, so there is nothing to refund.',
] as const

/** What may be refunded for one order, and why. */
export interface RefundTerms {
  readonly eligible: boolean
  /** The most that may be refunded now, in cents of the order's currency; 0 when not eligible. */
  readonly refundableCents: number
  readonly why: string
}

/** True when the day that was promised has passed and the customer has paid and has no parcel. */
export function isLate({ status, promised_at }: Pick<OrderRow, 'status' | 'promised_at'>): boolean {
  switch (status) {
    case 'paid':
    case 'packed':
    case 'shipped':
    case 'in_transit':
    case 'delayed':
    case 'lost':
      return promised_at < SHOP_TODAY
    case 'pending':
    case 'delivered':
    case 'returned':
    case 'refunded':
    case 'cancelled':
      return false
  }
}

/** Applies {@link REFUND_RULES}. The one place that decides: what the model says does not count. */
export function refundTerms(order: OrderRow): RefundTerms {
  const left = order.total_cents - order.refunded_cents
  if (left <= 0) return no('It was already refunded in full.')
  switch (order.status) {
    case 'pending':
      return no('It is not paid yet, so there is nothing to refund.')
    case 'cancelled':
      return no('It was cancelled before it was paid, so there is nothing to refund.')
    case 'delivered':
      return no('It was delivered. It can be sent back within 30 days; the refund follows then.')
    case 'refunded':
      return no('It was already refunded.')
    case 'lost':
      return yes(left, 'The carrier lost it.')
    case 'returned':
      return yes(left, 'It came back to us.')
    case 'paid':
    case 'packed':
    case 'shipped':
    case 'in_transit':
    case 'delayed': {
      const promised = dateOf(order.promised_at)
      return isLate(order)
        ? yes(left, `It is late: promised for ${promised} and not delivered.`)
        : no(`It is not late: promised for ${promised}. A late order can be refunded.`)
    }
  }
}

function yes(refundableCents: number, why: string): RefundTerms {
  return { eligible: true, refundableCents, why }
}

function no(why: string): RefundTerms {
  return { eligible: false, refundableCents: 0, why }
}
