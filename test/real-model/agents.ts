import { z } from 'zod'
import { type Agent, defineAgent, defineTool, ToolError } from '../../src/index.js'
import type { ModelRegistry } from '../../src/worker/models.js'
import { openaiCompatible } from '../../src/worker.js'

const ORDERS: Readonly<Record<string, object>> = {
  A1001: { item: 'espresso machine', status: 'paid', total: '129.00 EUR', ordered: '2026-11-12' },
  A1002: { item: 'grinder', status: 'shipped', total: '89.00 EUR', ordered: '2026-11-20' },
}
const order = z.object({ orderId: z.string().describe('Such as A1001.') })
const annotations = { readOnlyHint: true }

const lookupOrder = defineTool({
  name: 'lookup_order',
  description: 'Use when the customer asks about one order. Needs its number, such as A1001.',
  input: order,
  annotations,
  execute: ({ orderId }) => {
    const found = ORDERS[orderId]
    if (found === undefined) throw new ToolError(`There is no order ${orderId}.`)
    return found
  },
})

const trackShipment = defineTool({
  name: 'track_shipment',
  description: 'Use when the customer asks where a shipped order is.',
  input: order,
  annotations,
  execute: ({ orderId }) => (orderId === 'A1002' ? [{ place: 'Lyon', at: '2026-11-29' }] : []),
})

const refundPolicy = defineTool({
  name: 'refund_policy',
  description: 'Use before you say anything about refunds.',
  input: z.object({ reason: z.enum(['late', 'broken', 'unwanted']).optional() }),
  annotations,
  execute: () => 'Late and broken: refunded in full. Unwanted: within 14 days.',
})

const QUESTIONS = [
  'Why has order A1001 not shipped?',
  'Where is my order A1002 now?',
  'Can I get a refund for A1001? It is late.',
  'What did I order, and what did it cost? The number is A1002.',
  'Hello, who are you?',
] as const

/** One run of the trial: which agent, and what it is asked. */
export interface PlannedRun {
  readonly agent: Agent
  readonly dialect: string
  readonly input: string
}

/** Half of the runs with simple schemas, half streamed, in all four pairs; every tenth without tools. */
export function planRuns(count: number): readonly PlannedRun[] {
  const agents = new Map<string, Agent>()
  return Array.from({ length: count }, (_, i) => {
    const dialect = `${i % 2 === 0 ? 'full' : 'simple'}-${i % 4 < 2 ? 'stream' : 'whole'}`
    const name = i % 10 === 9 ? `${dialect}-bare` : dialect
    const agent = agents.get(name) ?? shopAgent(name, dialect)
    agents.set(name, agent)
    return { agent, dialect, input: QUESTIONS[Math.floor(i / 4) % QUESTIONS.length] ?? '' }
  })
}

/** The one server, by four names: one for each way of talking to it. */
export function modelRegistry(baseURL: string): ModelRegistry {
  const both = (schema: 'full' | 'simple') => ({
    [`${schema}-stream`]: openaiCompatible({ baseURL, schema }),
    [`${schema}-whole`]: openaiCompatible({ baseURL, schema, stream: false }),
  })
  return { ...both('full'), ...both('simple') }
}

function shopAgent(name: string, model: string): Agent {
  return defineAgent({
    name,
    instructions:
      'You are the after-sales assistant of a web shop. Look things up before you answer; never guess. Answer in one or two plain sentences.',
    model,
    modelSettings: { temperature: 0.7, maxTokens: 256, seed: 1 },
    tools: name.endsWith('-bare') ? [] : [lookupOrder, trackShipment, refundPolicy],
    limits: { maxSteps: 4 },
    // Three attempts show what becomes of a server that fails for good, in seconds.
    modelRetry: { maximumAttempts: 3 },
  })
}
