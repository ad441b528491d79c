import { z } from 'zod'
import { defineTool, ToolError } from '../../../src/index.js'
import { customer } from '../customer.js'
import type { Shop } from '../shop.js'

/** Puts an e-mail to the customer into the outbox, from where a mailer would send it. */
export function sendEmail(shop: Shop) {
  return defineTool({
    name: 'send_email',
    description:
      'Use when the customer asked for an e-mail, after everything that it tells about is done. It goes to the address that we know of the customer, to no other.',
    input: z.object({
      subject: z.string().min(1).max(200).describe('The subject, one line.'),
      body: z.string().min(1).max(5_000).describe('Plain text, without placeholders.'),
    }),
    context: customer,
    annotations: { idempotentHint: true, destructiveHint: false },
    timeout: '20s',
    execute: async ({ subject, body }, { context, idempotencyKey }) => {
      const database = await shop.database()
      // The address comes from our table: a model that was talked into another one cannot use it.
      await database.query(
        `INSERT INTO outbox (customer_id, to_address, subject, body, idempotency_key)
         SELECT id, email, $2, $3, $4 FROM customers WHERE id = $1
         ON CONFLICT (idempotency_key) DO NOTHING`,
        [context.customerId, storable(subject), storable(body), idempotencyKey],
      )
      const [mail] = await database.query<{ id: number; to_address: string; subject: string }>(
        `SELECT id, to_address, subject FROM outbox
          WHERE idempotency_key = $1 AND customer_id = $2`,
        [idempotencyKey, context.customerId],
      )
      if (mail === undefined) {
        throw new ToolError('No address is known of this customer. Give the answer in the chat.')
      }
      return { emailId: `E${mail.id}`, to: mail.to_address, subject: mail.subject, queued: true }
    },
  })
}

/** Without NUL, the one character that JSON can hold and PostgreSQL's text cannot. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '')
}
