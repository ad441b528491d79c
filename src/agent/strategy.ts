import type { AgentActivities } from '../contract/activities.js'
import type { RunState } from '../contract/run.js'
import { addUsage, tokensOf } from '../contract/usage.js'
import { affords } from './budgets.js'
import { referenceTo } from './conversation.js'
import { countReply, modelOf } from './models.js'
import { addRow } from './state.js'

/** What the choice of a strategy needs of the world. */
export interface StrategyEffects {
  /** **Contract:** resolves with null when the choice failed: the turn then goes on without a strategy. */
  chooseStrategy(
    ...input: Parameters<AgentActivities['chooseStrategy']>
  ): Promise<Awaited<ReturnType<AgentActivities['chooseStrategy']>> | null>
  now(): number
}

/**
 * Chooses the strategy of a turn before its first step, if the agent has any, and the budgets have room for
 * it beside two calls. It is no step.
 */
export async function chooseStrategy(state: RunState, effects: StrategyEffects): Promise<void> {
  const { manifest } = state
  if (state.step > 0 || state.strategy !== undefined || !manifest.strategies?.length) return
  if (!affords(state, effects.now, { calls: 3 })) {
    state.strategy = null
    addRow(state, { step: 0, what: 'strategy: none (no budget for the choice)', tokens: 0, ms: 0 })
    return
  }
  const startedAt = effects.now()
  const model = modelOf(state)
  const choice = await effects.chooseStrategy({
    ...referenceTo(state),
    ...(model === manifest.model ? {} : { model }),
  })
  state.strategy = choice?.strategy ?? null
  if (choice !== null) {
    state.usage = addUsage(state.usage, choice)
    countReply(state, choice)
  }
  addRow(state, {
    step: 0,
    what: `strategy: ${state.strategy ?? (choice === null ? 'none (the choice failed)' : 'none')}`,
    tokens: choice === null ? 0 : tokensOf(choice),
    ms: effects.now() - startedAt,
  })
}
