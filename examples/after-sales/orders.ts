import { ToolError } from '../../src/index.js'
import type { Sql } from '../database/database.js'
import type { OrderStatus } from './schema.js'

/** An order as the tools read it. */
export interface OrderRow {
  readonly id: string
  readonly status: OrderStatus
  readonly item: string
  readonly total_cents: number
  /** Sum of its refunds. */
  readonly refunded_cents: number
  readonly currency: string
  readonly placed_at: Date
  readonly promised_at: Date
  readonly note: string | null
}

const FIND = `
  SELECT id, status, item, total_cents, currency, placed_at, promised_at, note,
         (SELECT coalesce(sum(amount_cents), 0)::int4 FROM refunds
           WHERE order_id = orders.id) AS refunded_cents
    FROM orders
   WHERE id = $1 AND customer_id = $2`

/**
 * The customer's order of that number.
 *
 * @throws ToolError when there is none. An order of somebody else gives the same error, or the answers
 * would tell which numbers exist.
 */
export async function findOrder(sql: Sql, orderId: string, customerId: string): Promise<OrderRow> {
  const [order] = await sql.query<OrderRow>(FIND, [orderId.toUpperCase(), customerId])
  if (order !== undefined) return order
  throw new ToolError(
    `This customer has no order ${orderId.toUpperCase()}. Ask the customer to check the number.`,
  )
}

/**
 * {@link findOrder} for a transaction that decides by what it reads: others wait for its end, so that two
 * refunds of one order cannot both see the whole price as left.
 */
export async function lockOrder(sql: Sql, orderId: string, customerId: string): Promise<OrderRow> {
  // In a statement of its own: a sum in the locking statement would be as old as the wait for the lock.
  await sql.query('SELECT 1 FROM orders WHERE id = $1 AND customer_id = $2 FOR UPDATE', [
    orderId.toUpperCase(),
    customerId,
  ])
  return findOrder(sql, orderId, customerId)
}

/** Cents as the customer reads them, such as `89.00 EUR`. */
export function money(cents: number, currency: string): string {
  return `${(cents / 100).toFixed(2)} ${currency}`
}
