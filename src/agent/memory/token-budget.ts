import type { RunState } from '../../contract/run.js'
import { replaceMessages } from '../conversation.js'
import { inProvidersMeasure, sizesOf } from '../sizes.js'
import { goalOf, isNote, partAfter } from './places.js'

/**
 * Drops the oldest messages until those that are left fit `maxTokens`. The goal of the turn stays, and so
 * does what came last: a model that never sees a result would ask for it for ever. A call goes with its
 * results.
 *
 * @returns how many messages were dropped
 */
export function dropOldest(state: RunState, maxTokens: number): number {
  const { messages } = state
  const sizes = sizesOf(state)
  const goal = goalOf(messages)
  const dropped = new Set<number>()
  // A note of the loop's own is about what it follows.
  const newest = messages.findLastIndex((message) => !isNote(message))
  let total = sizes.reduce((sum, size) => sum + size, 0)
  for (let from = 0; from < messages.length; ) {
    const to = partAfter(messages, from)
    if (inProvidersMeasure(state, total) <= maxTokens || to > newest) break
    if (from !== goal) {
      for (let place = from; place < to; place++) {
        dropped.add(place)
        total -= sizes[place] ?? 0
      }
    }
    from = to
  }
  if (dropped.size === 0) return 0
  replaceMessages(
    state,
    messages.map((_, place) => place).filter((place) => !dropped.has(place)),
  )
  return dropped.size
}

/** True when the messages are over `maxTokens`. */
export function isOver(state: RunState, maxTokens: number): boolean {
  const total = sizesOf(state).reduce((sum, size) => sum + size, 0)
  return inProvidersMeasure(state, total) > maxTokens
}

/** Half of what the conversation has now: what is tried when a provider says that it is too long. */
export function halveConversation(state: RunState): number {
  const total = sizesOf(state).reduce((sum, size) => sum + size, 0)
  return dropOldest(state, Math.floor(inProvidersMeasure(state, total) / 2))
}
