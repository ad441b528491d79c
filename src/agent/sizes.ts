import type { Message } from '../contract/messages.js'
import type { TokenCount } from '../contract/reply.js'
import type { RunState } from '../contract/run.js'
import { estimateTokens, messageTokens } from '../contract/tokens.js'

/** How far the provider's count may be from ours; beyond it something else was counted. */
const MIN_FACTOR = 0.5
const MAX_FACTOR = 4

/** About the tokens of a message that no worker has counted. */
export function estimatedSize(message: Message): number {
  return messageTokens(message, estimateTokens)
}

/** The tokens of each message, as the workers counted them; estimated where they did not. */
export function sizesOf(state: RunState): number[] {
  if (state.sizes?.length !== state.messages.length) {
    state.sizes = state.messages.map(estimatedSize)
  }
  return state.sizes
}

/** The tokens of some messages in the provider's measure. */
export function inProvidersMeasure(state: RunState, tokens: number): number {
  return Math.ceil(tokens * (state.tokenFactor ?? 1))
}

/** About the tokens of the next prompt. */
export function promptTokens(state: RunState): number {
  return inProvidersMeasure(state, counted(state))
}

/** Corrects the measure by what the provider counted for a prompt with all tools. */
export function learnFactor(state: RunState, tokens: TokenCount | null): void {
  const here = counted(state)
  if (tokens === null || tokens.promptTokens === 0 || here === 0) return
  const factor = tokens.promptTokens / here
  state.tokenFactor = Math.min(Math.max(factor, MIN_FACTOR), MAX_FACTOR)
}

/** Learns how much a step adds, from the `count` messages of the newest. */
export function learnGrowth(state: RunState, count: number): void {
  const added = sizesOf(state)
    .slice(-count)
    .reduce((sum, size) => sum + size, 0)
  state.largestStep = Math.max(state.largestStep ?? 0, added)
}

function counted(state: RunState): number {
  const definition = state.manifest.tokens?.definition ?? 0
  return sizesOf(state).reduce((sum, size) => sum + size, definition)
}
