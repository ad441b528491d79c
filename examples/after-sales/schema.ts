import type { Sql } from '../database/database.js'

/** Every state that an order can be in. */
export const ORDER_STATUSES = [
  'pending',
  'paid',
  'packed',
  'shipped',
  'in_transit',
  'delayed',
  'delivered',
  'lost',
  'returned',
  'refunded',
  'cancelled',
] as const

/** One of {@link ORDER_STATUSES}. */
export type OrderStatus = (typeof ORDER_STATUSES)[number]

const TABLES = [
  `CREATE SCHEMA IF NOT EXISTS after_sales`,
  `CREATE TABLE IF NOT EXISTS after_sales.customers (
     id    text PRIMARY KEY,
     name  text NOT NULL,
     email text NOT NULL
   )`,
  // Money is in cents and int4: bigint comes as a string from one driver and as a number from the other.
  `CREATE TABLE IF NOT EXISTS after_sales.orders (
     id          text PRIMARY KEY,
     customer_id text NOT NULL REFERENCES after_sales.customers,
     status      text NOT NULL CHECK (status IN ('${ORDER_STATUSES.join("', '")}')),
     item        text NOT NULL,
     total_cents int4 NOT NULL CHECK (total_cents > 0),
     currency    text NOT NULL,
     placed_at   timestamptz NOT NULL,
     promised_at timestamptz NOT NULL,
     note        text
   )`,
  `CREATE TABLE IF NOT EXISTS after_sales.shipments (
     order_id      text PRIMARY KEY REFERENCES after_sales.orders,
     carrier       text NOT NULL,
     tracking_code text NOT NULL UNIQUE
   )`,
  `CREATE TABLE IF NOT EXISTS after_sales.scans (
     order_id text NOT NULL REFERENCES after_sales.shipments,
     at       timestamptz NOT NULL,
     place    text NOT NULL,
     event    text NOT NULL,
     PRIMARY KEY (order_id, at)
   )`,
  // The unique key is what makes a retried refund the same refund.
  `CREATE TABLE IF NOT EXISTS after_sales.refunds (
     id              int4 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     order_id        text NOT NULL REFERENCES after_sales.orders,
     amount_cents    int4 NOT NULL CHECK (amount_cents > 0),
     currency        text NOT NULL,
     reason          text NOT NULL,
     idempotency_key text NOT NULL UNIQUE,
     created_at      timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE TABLE IF NOT EXISTS after_sales.outbox (
     id              int4 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     customer_id     text NOT NULL REFERENCES after_sales.customers,
     to_address      text NOT NULL,
     subject         text NOT NULL,
     body            text NOT NULL,
     idempotency_key text NOT NULL UNIQUE,
     created_at      timestamptz NOT NULL DEFAULT now()
   )`,
]

/** Creates what is missing. Call it under a lock: `IF NOT EXISTS` alone fails when two do it at once. */
export async function createTables(sql: Sql): Promise<void> {
  for (const statement of TABLES) await sql.query(statement)
}
