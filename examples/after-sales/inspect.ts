// Shows what the tools wrote: npx tsx examples/after-sales/inspect.ts
import { createShop } from './shop.js'

async function inspect(): Promise<void> {
  const shop = createShop()
  const database = await shop.database()
  const refunds = await database.query(
    `SELECT id, order_id, amount_cents, currency, reason, idempotency_key FROM refunds
      WHERE idempotency_key NOT LIKE 'seed/%' ORDER BY id`,
  )
  const outbox = await database.query(
    'SELECT id, to_address, subject, body, idempotency_key FROM outbox ORDER BY id',
  )
  process.stdout.write(`${JSON.stringify({ database: database.kind, refunds, outbox }, null, 2)}\n`)
  await shop.close()
}

try {
  await inspect()
} catch (error) {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
