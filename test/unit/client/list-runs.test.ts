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

/** A namespace that has the search attributes that are named. */
async function list(
  rows: readonly object[],
  options: ListOptions = {},
  attributes: readonly string[] = [],
) {
  const queries: string[] = []
  const fake = {
    options: { namespace: 'shop' },
    workflow: {
      count: async (query: string) => {
        if (!attributes.some((name) => query.startsWith(`${name} `))) throw new Error('no mapping')
        return { count: 0 }
      },
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
      {
        searchAttributes: {
          PerdureModel: ['gpt'],
          PerdureStopReason: ['max_steps'],
          PerdureSteps: [8],
          PerdureTokens: [1200],
          PerdureCostUsd: [0.5],
        },
      },
    ),
    row('b', undefined, { status: { name: 'RUNNING' }, closeTime: undefined }),
  ])
  expect(runs).toEqual([
    {
      id: 'a',
      kind: 'run',
      agent: 'support',
      status: 'completed',
      startedAt: new Date(1),
      closedAt: new Date(2),
      model: 'gpt',
      stopReason: 'max_steps',
      waitingFor: undefined,
      steps: 8,
      tokens: 1200,
      costUsd: 0.5,
    },
    {
      id: 'b',
      kind: 'run',
      agent: '',
      status: 'running',
      startedAt: new Date(1),
      closedAt: null,
      model: undefined,
      stopReason: undefined,
      waitingFor: undefined,
      steps: undefined,
      tokens: undefined,
      costUsd: undefined,
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
    "WorkflowType IN ('agent', 'session') AND ExecutionStatus != 'ContinuedAsNew'",
  )
  const { query } = await list([], { query: "A = 'x' OR B = 'y'" })
  expect(query).toMatch(/ AND \(A = 'x' OR B = 'y'\)$/)
})

it('agent, status, stop reason, model and age are conditions beside that of the caller', async () => {
  const { query } = await list(
    [],
    {
      agent: 'support',
      status: 'cancelled',
      stopReason: 'max_steps',
      model: "o'brien\\4",
      since: new Date(0),
      query: 'PerdureSteps > 5',
    },
    ['PerdureAgent', 'PerdureStopReason', 'PerdureModel'],
  )
  expect(query).toBe(
    [
      "PerdureAgent = 'support' AND WorkflowType IN ('agent', 'session') AND ExecutionStatus != 'ContinuedAsNew'",
      "ExecutionStatus = 'Canceled' AND PerdureStopReason = 'max_steps'",
      "PerdureModel = 'o\\'brien\\\\4' AND StartTime >= '1970-01-01T00:00:00.000Z'",
      '(PerdureSteps > 5)',
    ].join(' AND '),
  )
})

it.each([{ stopReason: 'max_steps' }, { model: 'gpt' }])(
  'a namespace without the attribute cannot tell %j, and the error says what registers it',
  async (options) => {
    await expect(list([], options, ['PerdureAgent'])).rejects.toThrow(
      /^Namespace "shop" does not have the search attribute Perdure\w+, .*perdure setup/,
    )
  },
)

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
