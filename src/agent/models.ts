import type { ModelReply } from '../contract/reply.js'
import type { RunState } from '../contract/run.js'
import { addUsage, NO_USAGE } from '../contract/usage.js'

/** The model that answers now: the manifest's, or the fallback that took over in this turn. */
export function modelOf({ manifest, fallback = 0 }: RunState): string {
  return manifest.fallbackModels?.[fallback - 1] ?? manifest.model
}

/**
 * Lets the next model take over for the rest of the turn: an outage is not tried anew at each step.
 *
 * @returns false when there is no further model
 */
export function fallBack(state: RunState): boolean {
  const next = (state.fallback ?? 0) + 1
  if (next > (state.manifest.fallbackModels?.length ?? 0)) return false
  state.fallback = next
  return true
}

/** Counts a reply for the model that gave it. */
export function countReply(
  state: RunState,
  { tokens }: Pick<ModelReply, 'tokens'>,
  name = modelOf(state),
): void {
  const used = new Map(Object.entries(state.usageByModel ?? {}))
  state.usageByModel = Object.fromEntries(
    used.set(name, addUsage(used.get(name) ?? NO_USAGE, { tokens })),
  )
  // A Map, so that a model named constructor is a name like any other.
  const replies = new Map(Object.entries(state.replies ?? {}))
  state.replies = Object.fromEntries(replies.set(name, (replies.get(name) ?? 0) + 1))
}
