import type { Client } from '@temporalio/client'
import { describe, expect, it } from 'vitest'
import { type HistoryEvent, readEvents } from '../../../../src/client/history/read-events.js'
import { eventMaker } from './events.js'

interface Request {
  readonly execution: { readonly workflowId: string; readonly runId: string }
  readonly waitNewEvent: boolean
  readonly nextPageToken?: Uint8Array
}

/** A server that has executions by run id, each a list of pages. */
function server(executions: Record<string, readonly (readonly HistoryEvent[])[]>) {
  const requests: Request[] = []
  const signals: AbortSignal[] = []
  const fake = {
    options: { namespace: 'ns' },
    withAbortSignal: <T>(signal: AbortSignal, call: () => Promise<T>) => {
      signals.push(signal)
      return call()
    },
    workflowService: {
      getWorkflowExecutionHistory: async (request: Request) => {
        requests.push(request)
        const pages = executions[request.execution.runId] ?? []
        const page = request.nextPageToken?.[0] ?? 0
        return {
          history: { events: pages[page] },
          nextPageToken: page + 1 < pages.length ? Uint8Array.of(page + 1) : new Uint8Array(),
        }
      },
    },
  }
  return { client: fake as unknown as Client, requests, signals }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const make = eventMaker()
const [a, b, c] = [make.other(), make.other(), make.other()]
const options = { workflowId: 'w', runId: 'r1', follow: false }

describe('the events of one execution', () => {
  it('come page by page, in order; an empty page ends nothing', async () => {
    const { client, requests } = server({ r1: [[a, b], [], [c]] })
    expect(await all(readEvents(client, options))).toEqual([a, b, c])
    expect(requests.map(({ nextPageToken }) => nextPageToken?.[0])).toEqual([undefined, 1, 2])
  })

  it('are waited for when they are followed', async () => {
    const { client, requests } = server({ r1: [[a]] })
    await all(readEvents(client, { ...options, follow: true }))
    expect(requests).toMatchObject([{ waitNewEvent: true, execution: { runId: 'r1' } }])
  })

  it('stop when the signal of the caller does', async () => {
    const { client, signals } = server({ r1: [[a]] })
    const stop = new AbortController()
    await all(readEvents(client, { ...options, signal: stop.signal }))
    stop.abort()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })
})
