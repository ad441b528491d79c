import type { LimitReason, RunState } from '../../contract/run.js'

/** What a rule that fires says: the reason for the caller, a sentence for the model. */
export interface Verdict {
  readonly reason: LimitReason
  readonly message: string
}

/**
 * One rule that can end a turn before the model does.
 *
 * **Contract:** pure; looks at the state, and at the time when it must; says null while the turn may go on.
 */
export type StopRule = (state: RunState, now: () => number) => Verdict | null

/** The verdict of the first rule of a list that fires. */
export function firstVerdict(
  rules: readonly StopRule[],
  state: RunState,
  now: () => number,
): Verdict | null {
  for (const rule of rules) {
    const verdict = rule(state, now)
    if (verdict !== null) return verdict
  }
  return null
}
