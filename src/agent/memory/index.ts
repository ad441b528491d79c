import type { AgentActivities } from '../../contract/activities.js'
import type { RunState } from '../../contract/run.js'
import { addUsage, tokensOf } from '../../contract/usage.js'
import { affords, countEstimate } from '../budgets.js'
import { referenceTo } from '../conversation.js'
import { countReply, modelOf } from '../models.js'
import { addRow } from '../state.js'
import { dropOldest, halveConversation, isOver } from './token-budget.js'
import { dropOlder, dueSummary, putSummary, type SummaryPlan } from './window.js'

type Summarize = AgentActivities['summarize']

/** What memory needs of the world. */
export interface MemoryEffects {
  /** **Contract:** resolves with null when no summary could be made: the messages are then dropped. */
  summarize(...input: Parameters<Summarize>): Promise<Awaited<ReturnType<Summarize>> | null>
  now(): number
}

/** True when a policy has something to shorten. Asked first, since most steps then need no promise. */
export function isMemoryDue(state: RunState): boolean {
  const { maxTokens } = state.manifest.memory ?? {}
  return dueSummary(state) !== null || (maxTokens !== undefined && isOver(state, maxTokens))
}

/**
 * Shortens the conversation before the `calls` model calls that must still fit the budgets, as the agent's
 * memory policies say. Where a summary does not fit beside them, the messages are dropped.
 *
 * @returns true when a model was asked, which the budgets have to count
 */
export async function shortenMemory(
  state: RunState,
  effects: MemoryEffects,
  calls: number,
): Promise<boolean> {
  const { memory } = state.manifest
  if (memory === undefined) return false
  let asked = false
  for (let plan = dueSummary(state); plan !== null; plan = dueSummary(state)) {
    const isAffordable = affords(state, effects.now, { calls, summarised: plan.tokens })
    await summarize(
      state,
      plan,
      isAffordable ? effects : { ...effects, summarize: async () => null },
    )
    asked ||= isAffordable
  }
  if (memory.maxTokens === undefined) return asked
  const dropped = dropOldest(state, memory.maxTokens)
  if (dropped > 0) addMemoryRow(state, `the ${dropped} oldest messages dropped`)
  return asked
}

/**
 * Shortens a conversation that the provider found too long.
 *
 * @returns false when there is nothing to leave out, or the agent keeps everything
 */
export function shortenRefused(state: RunState): boolean {
  if (state.manifest.memory === undefined) return false
  const dropped = halveConversation(state)
  if (dropped > 0) addMemoryRow(state, `too long for the model: the ${dropped} oldest dropped`)
  return dropped > 0
}

async function summarize(
  state: RunState,
  plan: SummaryPlan,
  effects: MemoryEffects,
): Promise<void> {
  const startedAt = effects.now()
  const { maxWords = 100, model = modelOf(state) } = state.manifest.memory?.summary ?? {}
  const { to, goal } = plan
  const summary = await effects.summarize({
    ...referenceTo(state),
    to,
    goal,
    maxWords,
    ...(model === state.manifest.model ? {} : { model }),
  })
  if (summary !== null) {
    state.usage = addUsage(state.usage, summary)
    countReply(state, summary, model)
    if (summary.tokens === null) {
      const taken = { promptTokens: plan.tokens, completionTokens: summary.size ?? 0 }
      countEstimate(state, model, taken)
    }
  }
  const count = goal === null ? to : to - 1
  const made = summary !== null && summary.text.trim() !== ''
  if (made) putSummary(state, plan, summary)
  else dropOlder(state, plan)
  addMemoryRow(state, made ? `${count} messages summarised` : `no summary: ${count} dropped`, {
    tokens: summary === null ? 0 : tokensOf(summary),
    ms: effects.now() - startedAt,
  })
}

function addMemoryRow(
  state: RunState,
  what: string,
  figures: { readonly tokens: number; readonly ms: number } = { tokens: 0, ms: 0 },
): void {
  addRow(state, { step: state.step, what: `memory: ${what}`, ...figures })
}
