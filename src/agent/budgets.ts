import { modelPrice, priceOf } from '../contract/price.js'
import type { TokenCount } from '../contract/reply.js'
import type { RunState } from '../contract/run.js'
import { costOf } from './cost.js'
import { modelOf } from './models.js'
import { inProvidersMeasure, promptTokens } from './sizes.js'

/** Completion tokens of a call before there was any reply. */
const FIRST_REPLY_TOKENS = 300
/** Tokens of a word of a summary. */
const WORD_TOKENS = 2

/** What is still to be asked. */
export interface Ahead {
  /** Model calls. */
  readonly calls: number
  /** Tokens of older messages of which a summary is made before them. @default no summary */
  readonly summarised?: number
}

/** A budget of a turn: what is used of it, and what the calls ahead are estimated to take. */
export interface Budget {
  readonly limit: number
  readonly used: number
  readonly ahead: number
}

/** Counts by estimate what a model took whose server did not say, for the budgets of the turn. */
export function countEstimate(state: RunState, model: string, taken: TokenCount): void {
  const { maxTokens, maxCostUsd } = state.manifest.limits
  if (maxTokens === undefined && maxCostUsd === undefined) return
  const all = new Map(Object.entries(state.uncounted ?? {}))
  const { promptTokens, completionTokens } = all.get(model) ?? NOTHING
  all.set(model, {
    promptTokens: promptTokens + taken.promptTokens,
    completionTokens: completionTokens + taken.completionTokens,
  })
  state.uncounted = Object.fromEntries(all)
}

const NOTHING: TokenCount = { promptTokens: 0, completionTokens: 0 }

/** Whether what is ahead fits every budget of the turn. */
export function affords(state: RunState, now: () => number, ahead: Ahead): boolean {
  return [tokenBudget(state, ahead), costBudget(state, ahead), timeBudget(state, now, ahead)].every(
    (budget) => budget === null || fits(budget),
  )
}

/** Whether what is ahead fits a budget. */
export function fits({ limit, used, ahead }: Budget): boolean {
  return used + ahead <= limit
}

/** The budget of tokens, where there is one. */
export function tokenBudget(state: RunState, ahead: Ahead): Budget | null {
  const { maxTokens: limit } = state.manifest.limits
  if (limit === undefined) return null
  const before = state.turnStart?.tokens ?? 0
  const used = state.usage.totalTokens - before + sum(uncounted(state).map(({ total }) => total))
  return { limit, used, ahead: sum(calls(state, ahead).map(({ total }) => total)) }
}

/** The budget of money, where there is one. */
export function costBudget(state: RunState, ahead: Ahead): Budget | null {
  const { maxCostUsd: limit } = state.manifest.limits
  if (limit === undefined) return null
  // A worker refuses the limit without prices; what has none in spite of it counts as free.
  const costs = (some: readonly Call[]) =>
    some.map((one) => {
      const price = modelPrice(state.manifest, one.model)
      return price === undefined ? 0 : priceOf(price, one)
    })
  const before = state.turnStart?.costUsd ?? 0
  const used = (costOf(state) ?? 0) - before + sum(costs(uncounted(state)))
  return { limit, used, ahead: sum(costs(calls(state, ahead))) }
}

/** The budget of time, where there is one. */
export function timeBudget(
  state: RunState,
  now: () => number,
  { calls, summarised }: Ahead,
): Budget | null {
  const { deadlineMs: limit } = state.manifest.limits
  if (limit === undefined) return null
  const at = now()
  const call = Math.max(1, state.longestCallMs ?? 0)
  // All but the last are steps, with tools.
  const step = Math.max(call, state.longestStepMs ?? 0)
  const ahead = step * (calls - 1) + call * (summarised === undefined ? 1 : 2)
  return { limit, used: at - (state.startedAt ?? at), ahead }
}

/** The clock is looked at for a deadline alone. */
export function hasDeadline({ manifest }: RunState): boolean {
  return manifest.limits.deadlineMs !== undefined
}

/** A call that is estimated. */
interface Call extends TokenCount {
  readonly model: string
  readonly total: number
}

function calls(state: RunState, { calls: count, summarised }: Ahead): Call[] {
  const { maxWords = 0, model = modelOf(state) } = state.manifest.memory?.summary ?? {}
  const told = maxWords * WORD_TOKENS
  const prompt = promptTokens(state)
  const shorter = summarised === undefined ? prompt : prompt - summarised + told
  // Each step makes the prompt of the next call longer: by as much as the largest so far.
  const growth = inProvidersMeasure(state, state.largestStep ?? 0)
  const each = Array.from({ length: count }, (_, i) =>
    call(modelOf(state), shorter + i * growth, replyTokens(state)),
  )
  return summarised === undefined ? each : [call(model, summarised, told), ...each]
}

function uncounted(state: RunState): Call[] {
  return Object.entries(state.uncounted ?? {}).map(([model, taken]) =>
    call(model, taken.promptTokens, taken.completionTokens),
  )
}

function call(model: string, prompt: number, completion: number): Call {
  const total = prompt + completion
  return { model, promptTokens: prompt, completionTokens: completion, total }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

/** About the tokens of the next reply: the longest so far. */
function replyTokens({ longestReply, manifest }: RunState): number {
  const { maxTokens = FIRST_REPLY_TOKENS } = manifest.modelSettings
  return longestReply ?? Math.min(maxTokens, FIRST_REPLY_TOKENS)
}
