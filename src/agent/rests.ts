import type { ToolOutcome } from '../contract/activities.js'
import { callId } from '../contract/messages.js'
import type { KeptRest, RunState } from '../contract/run.js'
import { newestWithin } from './newest.js'

/** Characters of all rests together: they are carried over continue-as-new. */
const MAX_CHARS = 200_000

/** True when something was cut from an observation, so that `read_more` has something to show. */
export function hasRests({ rests }: RunState): boolean {
  return rests !== undefined && Object.keys(rests).length > 0
}

/** Keeps what was cut from the observations of the newest step; the oldest make room. */
export function keepRests(state: RunState, outcomes: readonly ToolOutcome[]): void {
  const added = outcomes.flatMap(({ rest, artifact, cut }, i): [string, KeptRest][] => {
    if (cut === undefined || (rest === undefined && artifact === undefined)) return []
    const kept = {
      chars: cut,
      ...(rest === undefined ? {} : { text: rest }),
      ...(artifact === undefined ? {} : { artifact }),
    }
    return [[callId(state.turn, state.step, i + 1), kept]]
  })
  if (added.length === 0) return
  const all = [...Object.entries(state.rests ?? {}), ...added]
  state.rests = Object.fromEntries(
    newestWithin(all, MAX_CHARS, ([, { text }]) => text?.length ?? 0),
  )
}
