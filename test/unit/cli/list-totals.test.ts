import { expect, it } from 'vitest'
import { listTotals } from '../../../src/cli/list-totals.js'
import type { ListedRun } from '../../../src/client/list-runs.js'

const RUN: ListedRun = {
  id: 'r',
  agent: 'support',
  kind: 'run',
  waitingFor: undefined,
  status: 'completed',
  startedAt: new Date(0),
  closedAt: new Date(1),
  model: 'gpt',
  stopReason: 'answered',
  steps: 2,
  tokens: 100,
  costUsd: 0.25,
}

it('totals are of the runs that tell, and say of how many', () => {
  const open = { ...RUN, tokens: undefined, costUsd: undefined }
  const free = { ...RUN, tokens: 50, costUsd: undefined }
  expect(listTotals([RUN, RUN, free, open])).toEqual({
    runs: 4,
    tokens: 250,
    runsWithTokens: 3,
    costUsd: 0.5,
    runsWithCost: 2,
  })
})

it('of nothing they are zero', () => {
  expect(listTotals([])).toMatchObject({ runs: 0, tokens: 0, costUsd: 0 })
})
