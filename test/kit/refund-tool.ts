import { z } from 'zod'
import { defineTool } from '../../src/index.js'

/** A tool that pays money back; above 100 somebody has to approve it. */
export function refundTool(paid: object[] = []) {
  return defineTool({
    name: 'refund',
    description: 'Use to pay money back.',
    input: z.object({ order: z.string(), amount: z.number().positive() }),
    annotations: { idempotentHint: true },
    approval: ({ amount }) => (amount > 100 ? `${amount} is above 100` : false),
    execute: (args) => {
      paid.push(args)
      return { paid: args.amount }
    },
  })
}
