import type { ListedRun } from '../client/list-runs.js'

/** What listed runs used together. Open runs tell nothing yet. */
export interface ListTotals {
  readonly runs: number
  readonly tokens: number
  /** Runs that tell their tokens. */
  readonly runsWithTokens: number
  readonly costUsd: number
  /** Runs that tell their cost. */
  readonly runsWithCost: number
}

/** The totals of a list. */
export function listTotals(runs: readonly ListedRun[]): ListTotals {
  const tokens = runs.flatMap((run) => (run.tokens === undefined ? [] : [run.tokens]))
  const costs = runs.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]))
  return {
    runs: runs.length,
    tokens: sum(tokens),
    runsWithTokens: tokens.length,
    costUsd: sum(costs),
    runsWithCost: costs.length,
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
