import { type Ahead, type Budget, costBudget, fits, timeBudget, tokenBudget } from '../budgets.js'
import type { StopRule, Verdict } from './stop-rule.js'

/** The next call, and a last one without tools. */
const NEXT_AND_LAST: Ahead = { calls: 2 }

/** Fires when the next call and a last one without tools would use more than `limits.maxTokens`. */
export const tokens: StopRule = (state) =>
  verdictOf(
    tokenBudget(state, NEXT_AND_LAST),
    'token_budget',
    ({ limit, used }) => `${used} of ${limit} tokens are used.`,
  )

/** Fires when the next call and a last one without tools would cost more than `limits.maxCostUsd`. */
export const cost: StopRule = (state) =>
  verdictOf(
    costBudget(state, NEXT_AND_LAST),
    'cost_budget',
    () => 'The budget of this task is used up.',
  )

/** Fires when the next call and a last one without tools would end after `limits.deadline`. */
export const deadline: StopRule = (state, now) =>
  verdictOf(
    timeBudget(state, now, NEXT_AND_LAST),
    'deadline',
    () => 'The time of this task is used up.',
  )

function verdictOf(
  budget: Budget | null,
  reason: Verdict['reason'],
  message: (budget: Budget) => string,
): Verdict | null {
  if (budget === null || fits(budget)) return null
  return { reason, message: message(budget) }
}
