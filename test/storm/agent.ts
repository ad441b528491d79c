import { z } from 'zod'
import { type Agent, defineAgent, defineTool } from '../../src/index.js'
import { type ChatRequest, callTools, type Reply, say } from '../../src/testing/index.js'
import { toolFault, type Weather } from './faults.js'

/** What the write tools did: how often each call was executed. */
export type Ledger = Map<string, number>

/** Steps of a run: two of reads in parallel, one of writes, the answer. */
const PLAN: readonly ((run: string) => Reply)[] = [
  (run) => callTools([lookup(run, 1), lookup(run, 2)]),
  (run) => callTools([lookup(run, 3)]),
  (run) =>
    callTools([
      { name: 'pay', args: { id: run } },
      { name: 'send', args: { id: run } },
    ]),
  (run) => callTools([lookup(run, 4)]),
  (run) => say(`Run ${run} is done.`),
]

/** What the model does next in a run. */
export function nextReply(request: ChatRequest): Reply {
  const step = request.messages.filter(({ role }) => role === 'assistant').length
  return PLAN[step]?.(runOf(request)) ?? say('There is nothing left to do.')
}

/** The run that a request belongs to. */
export function runOf({ messages }: ChatRequest): string {
  return String(messages[1]?.content)
}

function lookup(run: string, n: number) {
  return { name: 'lookup', args: { id: `${run}-${n}` } }
}

/** An agent whose read-only tool fails in the weather, and whose write tools keep a ledger. */
export function stormAgent(weather: Weather, ledger: Ledger): Agent {
  const input = z.object({ id: z.string() })
  const count = (key: string) => ledger.set(key, (ledger.get(key) ?? 0) + 1)
  const read = defineTool({
    name: 'lookup',
    description: 'Use when something has to be known.',
    input,
    annotations: { readOnlyHint: true },
    timeout: '1s',
    execute: ({ id }, { attempt, signal }) => {
      const fault = toolFault(weather, id, attempt)
      if (fault === 'throws') throw new Error('storm')
      if (fault === null) return { id, known: true }
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    },
  })
  const pay = defineTool({
    name: 'pay',
    description: 'Use when something has to be paid.',
    input,
    annotations: { idempotentHint: true },
    execute: (_, { idempotencyKey }) => {
      count(idempotencyKey)
      return 'paid'
    },
  })
  const send = defineTool({
    name: 'send',
    description: 'Use when something has to be sent.',
    input,
    execute: ({ id }) => {
      count(`send ${id}`)
      return 'sent'
    },
  })
  return defineAgent({
    name: 'storm',
    instructions: 'You are in a storm.',
    model: 'storm-model',
    tools: [read, pay, send],
  })
}
