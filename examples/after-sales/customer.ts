import { z } from 'zod'

/** Who is asking. The run is started with it; it is in no prompt, so no text can change it. */
export const customer = z.object({ customerId: z.string().min(1) })

/** The number of an order, as every tool takes it. */
export const orderNumber = z
  .string()
  .regex(/^[A-Za-z]\d{4}$/, 'must be a letter and four digits, such as A1001')
  .describe('The number of the order: a letter and four digits, such as A1001.')
