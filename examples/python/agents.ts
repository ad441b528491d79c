import { z } from 'zod'
import { defineAgent, defineRemoteTool } from '../../src/index.js'

/** The queue that tools_worker.py polls. */
const taskQueue = 'warehouse'

const sku = { type: 'string', description: 'The number of the article, such as A-100.' }

const checkStock = defineRemoteTool({
  name: 'check_stock',
  description: 'Use when somebody asks how many pieces of an article are left.',
  inputSchema: { type: 'object', properties: { sku }, required: ['sku'] },
  taskQueue,
  annotations: { readOnlyHint: true },
  timeout: '5s',
})

const reserveStock = defineRemoteTool({
  name: 'reserve_stock',
  description: 'Use when somebody wants pieces of an article to be kept. Reserves them at once.',
  inputSchema: {
    type: 'object',
    properties: {
      sku,
      pieces: { type: 'integer', minimum: 1, description: 'How many pieces to keep.' },
    },
    required: ['sku', 'pieces'],
  },
  taskQueue,
  annotations: { idempotentHint: true, destructiveHint: false },
  timeout: '10s',
})

/** An agent whose tools are Python. */
export const warehouse = defineAgent({
  name: 'warehouse',
  instructions: 'You answer questions about the stock of a warehouse. Look things up; never guess.',
  model: 'gpt-4o-mini',
  context: z.object({ customerId: z.string() }),
  tools: [checkStock, reserveStock],
})
