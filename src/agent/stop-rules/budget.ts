import type { RunState } from '../../contract/run.js'
import { costOf, modelPrice, priceOf } from '../cost.js'
import { modelOf } from '../models.js'
import { promptTokens } from '../sizes.js'
import type { StopRule, Verdict } from './stop-rule.js'

/** Completion tokens of a call before there was any reply. */
const FIRST_REPLY_TOKENS = 300

/** A budget of a turn: what is used of it, and what one more call is estimated to take. */
interface Budget {
  readonly limit: number
  readonly used: number
  readonly next: number
}

/** Fires when the next call and a last one without tools would use more than `limits.maxTokens`. */
export const tokenBudget: StopRule = (state) =>
  verdictOf(
    tokens(state),
    'token_budget',
    ({ limit, used }) => `${used} of ${limit} tokens are used.`,
  )

/** Fires when the next call and a last one without tools would cost more than `limits.maxCostUsd`. */
export const costBudget: StopRule = (state) =>
  verdictOf(cost(state), 'cost_budget', () => 'The budget of this task is used up.')

/** Fires when the next call and a last one without tools would end after `limits.deadline`. */
export const deadline: StopRule = (state, now) =>
  verdictOf(time(state, now), 'deadline', () => 'The time of this task is used up.')

/** Whether one call without tools still fits every budget of the turn. */
export function affordsLastCall(state: RunState, now: () => number): boolean {
  return [tokens(state), cost(state), time(state, now)].every(
    (budget) => budget === null || budget.used + budget.next <= budget.limit,
  )
}

function verdictOf(
  budget: Budget | null,
  reason: Verdict['reason'],
  message: (budget: Budget) => string,
): Verdict | null {
  if (budget === null || budget.used + 2 * budget.next <= budget.limit) return null
  return { reason, message: message(budget) }
}

function tokens(state: RunState): Budget | null {
  const { maxTokens: limit } = state.manifest.limits
  if (limit === undefined) return null
  const used = state.usage.totalTokens - (state.turnStart?.tokens ?? 0)
  return { limit, used, next: promptTokens(state) + replyTokens(state) }
}

function cost(state: RunState): Budget | null {
  const { maxCostUsd: limit } = state.manifest.limits
  const price = modelPrice(state.manifest, modelOf(state))
  if (limit === undefined || price === undefined) return null
  const next = { promptTokens: promptTokens(state), completionTokens: replyTokens(state) }
  const used = (costOf(state) ?? 0) - (state.turnStart?.costUsd ?? 0)
  return { limit, used, next: priceOf(price, next) }
}

function time(state: RunState, now: () => number): Budget | null {
  const { deadlineMs: limit } = state.manifest.limits
  if (limit === undefined) return null
  const at = now()
  return { limit, used: at - (state.startedAt ?? at), next: Math.max(1, state.longestCallMs ?? 0) }
}

/** About the tokens of the next reply: the longest so far. */
function replyTokens({ longestReply, manifest }: RunState): number {
  const { maxTokens = FIRST_REPLY_TOKENS } = manifest.modelSettings
  return longestReply ?? Math.min(maxTokens, FIRST_REPLY_TOKENS)
}
