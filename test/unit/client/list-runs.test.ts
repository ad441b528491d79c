import type { Client } from '@temporalio/client'
import { expect, it } from 'vitest'
import { type ListOptions, listRuns } from '../../../src/client/list-runs.js'
import { statusName } from '../../../src/client/run-handle.js'

function row(id: string, memo: object | undefined, more: object = {}) {
  return {
    workflowId: id,
    status: { name: 'COMPLETED' },
    startTime: new Date(1),
    closeTime: new Date(2),
    memo,
    searchAttributes: {},
    ...more,
  }
}

async function list(rows: readonly object[], options: ListOptions = {}) {
  const queries: string[] = []
  const fake = {
    workflow: {
      list: async function* ({ query }: { query: string }) {
        queries.push(query)
        yield* rows
      },
    },
  }
  const runs = []
  for await (const run of listRuns(fake as unknown as Client, options)) runs.push(run)
  return { runs, query: queries[0] }
}

it('runs are listed with what their memo and search attributes tell', async () => {
  const { runs } = await list([
    row(
      'a',
      { perdure: { agent: 'support' } },
      { searchAttributes: { PerdureStopReason: ['max_steps'] } },
    ),
    row('b', undefined, { status: { name: 'RUNNING' }, closeTime: undefined }),
  ])
  expect(runs).toEqual([
    {
      id: 'a',
      agent: 'support',
      status: 'completed',
      startedAt: new Date(1),
      closedAt: new Date(2),
      stopReason: 'max_steps',
    },
    {
      id: 'b',
      agent: '',
      status: 'running',
      startedAt: new Date(1),
      closedAt: null,
      stopReason: undefined,
    },
  ])
})

it('an agent is looked for in the memo, which is always there', async () => {
  const rows = ['support', 'sales'].map((agent) => row(agent, { perdure: { agent } }))
  const { runs } = await list([...rows, row('foreign', undefined)], { agent: 'sales' })
  expect(runs.map(({ id }) => id)).toEqual(['sales'])
})

it('a run that was started without a memo is known by its search attribute', async () => {
  const rows = ['support', 'sales'].map((agent) =>
    row(agent, undefined, { searchAttributes: { PerdureAgent: [agent] } }),
  )
  const { runs } = await list(rows, { agent: 'sales' })
  expect(runs).toMatchObject([{ id: 'sales', agent: 'sales' }])
})

it('a condition of the caller is one among others', async () => {
  expect((await list([])).query).toBe(
    "WorkflowType = 'agent' AND ExecutionStatus != 'ContinuedAsNew'",
  )
  const { query } = await list([], { query: "A = 'x' OR B = 'y'" })
  expect(query).toMatch(/ AND \(A = 'x' OR B = 'y'\)$/)
})

it.each([
  ['COMPLETED', 'completed'],
  ['FAILED', 'failed'],
  ['CANCELLED', 'cancelled'],
  ['TERMINATED', 'terminated'],
  ['TIMED_OUT', 'timed_out'],
  ['RUNNING', 'running'],
  ['CONTINUED_AS_NEW', 'running'],
] as const)('%s of Temporal is %s here', (name, status) => {
  expect(statusName(name)).toBe(status)
})
