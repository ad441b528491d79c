import type { Client } from '@temporalio/client'
import { describe, expect, it } from 'vitest'
import { newestOf, readChain } from '../../../../src/client/history/chain.js'
import type { HistoryEvent } from '../../../../src/client/history/read-events.js'
import { eventMaker } from './events.js'

const make = eventMaker()
const [a, b, c] = [make.other(), make.other(), make.other()]
const begun = (continuedExecutionRunId?: string): HistoryEvent => ({
  workflowExecutionStartedEventAttributes: {
    firstExecutionRunId: 'r0',
    ...(continuedExecutionRunId === undefined ? {} : { continuedExecutionRunId }),
  },
})
const continued = (newExecutionRunId: string): HistoryEvent => ({
  workflowExecutionContinuedAsNewEventAttributes: { newExecutionRunId },
})

/** A server that has executions by run id; the last of each list is the one that ends it. */
function server(executions: Record<string, readonly HistoryEvent[]>): Client {
  const client = {
    options: { namespace: 'ns' },
    workflow: {
      getHandle: (_: string, runId: string) => ({
        describe: async () => {
          const isContinued = executions[runId]?.some(
            (event) => event.workflowExecutionContinuedAsNewEventAttributes,
          )
          return { status: { name: isContinued ? 'CONTINUED_AS_NEW' : 'RUNNING' } }
        },
      }),
    },
    workflowService: {
      getWorkflowExecutionHistory: async (request: {
        readonly execution: { readonly runId: string }
      }) => ({ history: { events: executions[request.execution.runId] ?? [] } }),
    },
  }
  return client as unknown as Client
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const chain = {
  r1: [begun(), a, continued('r2')],
  r2: [begun('r1'), b, continued('r3')],
  r3: [begun('r2'), c],
}

describe('a chain', () => {
  it.each(['r1', 'r2', 'r3'])('is read from its first execution on (%s)', async (runId) => {
    const read = readChain(server(chain), { workflowId: 'w', runId, follow: false })
    expect(await all(read)).toEqual(Object.values(chain).flat())
  })

  it('that a reset began is its own: the first execution of the old one is not read', async () => {
    const reset = { r0: [begun(), a], r9: [begun(), b] }
    const read = readChain(server(reset), { workflowId: 'w', runId: 'r9', follow: false })
    expect(await all(read)).toEqual(reset.r9)
  })

  it.each(['r1', 'r2', 'r3'])('ends with its newest execution (%s)', async (runId) => {
    expect(await newestOf(server(chain), { workflowId: 'w', runId })).toBe('r3')
  })
})
