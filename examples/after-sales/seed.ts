import type { Sql } from '../database/database.js'
import { ORDER_STATUSES, type OrderStatus } from './schema.js'
import { scansOf } from './seed-scans.js'
import { day } from './shop-clock.js'

/** Orders in the seed: A1001 to A1242, 22 in each state. */
export const SEED_ORDERS = 242

const NAMES = [
  'Ada',
  'Bo',
  'Cem',
  'Dana',
  'Eve',
  'Finn',
  'Grace',
  'Hugo',
  'Ines',
  'Jon',
  'Kim',
  'Lea',
]
const ITEMS = ['desk lamp', 'espresso machine', 'hiking boots', 'headphones', 'rain jacket']
const CARRIERS = ['DHL', 'GLS', 'UPS']

interface SeedOrder {
  readonly id: string
  readonly customer_id: string
  readonly status: OrderStatus
  readonly item: string
  readonly total_cents: number
  readonly currency: string
  readonly placed_at: string
  readonly promised_at: string
  readonly note: string | null
}

/** Fills an empty shop. The same rows every time: nothing random, no clock. */
export async function seed(sql: Sql): Promise<void> {
  const [any] = await sql.query('SELECT 1 FROM after_sales.customers LIMIT 1')
  if (any !== undefined) return
  const orders = Array.from({ length: SEED_ORDERS }, (_, index) => seedOrder(index))
  const scans = orders.flatMap((order) => scansOf(order))
  const sent = orders.filter(({ id }) => scans.some((scan) => scan.order_id === id))
  await insert(sql, 'customers', NAMES.map(seedCustomer))
  await insert(sql, 'orders', orders)
  await insert(sql, 'shipments', sent.map(seedShipment))
  await insert(sql, 'scans', scans)
  await insert(sql, 'refunds', orders.filter(({ status }) => status === 'refunded').map(seedRefund))
}

/** A1001 is the order of the README: paid, promised days ago, still in the warehouse. */
const STORY: Partial<SeedOrder> = {
  customer_id: 'c7',
  status: 'paid',
  item: 'espresso machine',
  total_cents: 8_900,
  currency: 'EUR',
  placed_at: day(-15),
  promised_at: day(-6),
  note: 'Backlog in the Leipzig warehouse: not packed yet, no date.',
}

function seedOrder(index: number): SeedOrder {
  const status = ORDER_STATUSES[index % ORDER_STATUSES.length] ?? 'paid'
  // Steps without a common factor, so that states, customers, items and dates mix.
  const placed = -40 + ((index * 7) % 38)
  const promised = placed + 4 + (index % 9)
  return {
    id: `A${1001 + index}`,
    customer_id: `c${1 + ((index * 5) % NAMES.length)}`,
    status,
    item: ITEMS[index % ITEMS.length] ?? 'desk lamp',
    total_cents: 990 + ((index * 1_777) % 24_000),
    currency: index % 4 === 3 ? 'USD' : 'EUR',
    placed_at: day(placed),
    promised_at: day(promised),
    note: status === 'delayed' ? 'The carrier reports a delay.' : null,
    ...(index === 0 ? STORY : {}),
  }
}

function seedCustomer(name: string, index: number) {
  return { id: `c${index + 1}`, name, email: `${name.toLowerCase()}@example.com` }
}

function seedShipment({ id }: SeedOrder, index: number) {
  return {
    order_id: id,
    carrier: CARRIERS[index % CARRIERS.length],
    tracking_code: `TRK${id.slice(1)}`,
  }
}

function seedRefund({ id, total_cents, currency, promised_at }: SeedOrder) {
  return {
    order_id: id,
    amount_cents: total_cents,
    currency,
    reason: 'Parcel was late.',
    idempotency_key: `seed/${id}`,
    created_at: promised_at,
  }
}

/** One statement a table. The names come from this file, never from input, so they may be in the SQL. */
async function insert(sql: Sql, table: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ')
  await sql.query(
    `INSERT INTO after_sales.${table} (${columns})
     SELECT ${columns} FROM jsonb_populate_recordset(NULL::after_sales.${table}, $1::text::jsonb)`,
    [JSON.stringify(rows)],
  )
}
