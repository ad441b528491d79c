import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { defineAgent, defineTool } from '../../src/index.js'

/** A file for each payment that was made, named after its idempotency key. */
const ledger = process.env['TEST_LEDGER'] ?? ''

const lookup = defineTool({
  name: 'lookup',
  description: 'Use when the test says so.',
  input: z.object({ id: z.string() }),
  annotations: { readOnlyHint: true },
  execute: ({ id }) => `found ${id}`,
})

const pay = defineTool({
  name: 'pay',
  description: 'Use when the test says so.',
  input: z.object({ order: z.string(), amount: z.number() }),
  annotations: { idempotentHint: true },
  approval: ({ amount }) => (amount > 100 ? 'above 100' : false),
  execute: ({ order, amount }, { idempotencyKey }) => {
    const file = join(ledger, Buffer.from(idempotencyKey).toString('base64url'))
    try {
      writeFileSync(file, JSON.stringify({ order, amount }), { flag: 'wx' })
    } catch (error) {
      // A worker that was killed had paid already.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    return `paid ${amount}`
  },
})

export const talker = defineAgent({
  name: 'talker',
  instructions: 'You are under test.',
  model: 'test-model',
  tools: [lookup, pay],
  // Every word is looked for in the last prompt.
  memory: 'none',
  limits: { maxSteps: 500 },
  approvals: { deadline: process.env['TEST_DEADLINE'] ?? '20 seconds' },
})
