import { z } from 'zod'
import { defineTool, ToolError } from '../../../src/index.js'
import type { Sql } from '../../database/database.js'
import { customer, orderNumber } from '../customer.js'
import { lockOrder, money, type OrderRow } from '../orders.js'
import { refundTerms } from '../refund-terms.js'
import type { Shop } from '../shop.js'

interface RefundRow {
  readonly id: number
  readonly amount_cents: number
  readonly currency: string
}

/** What is paid back without asking a person: 100 euros or dollars. */
const UNAPPROVED_CENTS = 10_000

/** Pays money back: the write that must happen once, however often Temporal has to try. */
export function issueRefund(shop: Shop) {
  return defineTool({
    name: 'issue_refund',
    description:
      'Use when the customer asked for a refund and refund_policy says that the order is eligible. Pays at once and cannot be undone.',
    input: z.object({
      orderId: orderNumber,
      amountCents: z
        .int()
        .min(1)
        .max(2_147_483_647)
        .describe('Cents of the currency of the order, refundableCents of refund_policy at most.'),
      reason: z.string().min(1).max(200).describe('One sentence that the customer may read.'),
    }),
    context: customer,
    // Idempotent because of the key, so a retry after a crash is safe; money that went out is gone.
    annotations: { idempotentHint: true, destructiveHint: true },
    approval: ({ amountCents }) =>
      amountCents > UNAPPROVED_CENTS
        ? `${amountCents} cents are more than an agent may pay`
        : false,
    timeout: '20s',
    execute: async ({ orderId, amountCents, reason }, { context, idempotencyKey }) => {
      const database = await shop.database()
      return database.transaction(async (sql) => {
        const order = await lockOrder(sql, orderId, context.customerId)
        // First of all: an earlier attempt may have paid, and only its answer was lost.
        const refund =
          (await findRefund(sql, order.id, idempotencyKey)) ??
          (await pay(sql, order, { amountCents, reason, idempotencyKey }))
        return {
          refundId: `R${refund.id}`,
          orderId: order.id,
          amount: money(refund.amount_cents, refund.currency),
          amountCents: refund.amount_cents,
        }
      })
    },
  })
}

async function pay(
  sql: Sql,
  order: OrderRow,
  wish: { amountCents: number; reason: string; idempotencyKey: string },
): Promise<RefundRow> {
  const terms = refundTerms(order)
  if (!terms.eligible) {
    throw new ToolError(`No refund for ${order.id}. ${terms.why} Tell the customer so.`)
  }
  if (wish.amountCents > terms.refundableCents) {
    throw new ToolError(
      `${wish.amountCents} cents are too much for ${order.id}: at most ${terms.refundableCents} are left to refund. Call again with that or less.`,
    )
  }
  await sql.query(
    `INSERT INTO refunds (order_id, amount_cents, currency, reason, idempotency_key)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (idempotency_key) DO NOTHING`,
    [order.id, wish.amountCents, order.currency, wish.reason, wish.idempotencyKey],
  )
  if (wish.amountCents === terms.refundableCents) {
    await sql.query(`UPDATE orders SET status = 'refunded' WHERE id = $1`, [order.id])
  }
  const refund = await findRefund(sql, order.id, wish.idempotencyKey)
  if (refund !== undefined) return refund
  // Only when one key serves two orders, which perdure's keys never do.
  throw new Error(`idempotency key ${wish.idempotencyKey} belongs to another order`)
}

async function findRefund(sql: Sql, orderId: string, key: string): Promise<RefundRow | undefined> {
  const [refund] = await sql.query<RefundRow>(
    'SELECT id, amount_cents, currency FROM refunds WHERE order_id = $1 AND idempotency_key = $2',
    [orderId, key],
  )
  return refund
}
