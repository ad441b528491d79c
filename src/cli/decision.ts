import type { PeopleHandle } from '../client/session/people.js'
import type { JsonObject } from '../contract/json.js'

/** What a person says of a call that waits. */
export type Decision =
  | { readonly kind: 'approve'; readonly args?: JsonObject; readonly all?: boolean }
  | { readonly kind: 'deny'; readonly reason?: string }
  | { readonly kind: 'answer'; readonly text: string }

/** Which call is meant, and who decides. */
export interface DecisionPlace {
  /** The id of the call. */
  readonly call: string
  /** Left out where nobody knows. */
  readonly by: string | undefined
}

/** Sends a decision. @throws SessionError when it is not taken */
export async function sendDecision(
  handle: PeopleHandle,
  decision: Decision,
  { call, by }: DecisionPlace,
): Promise<void> {
  const who = by === undefined ? {} : { by }
  switch (decision.kind) {
    case 'approve': {
      const { args, all } = decision
      await handle.approve(call, { ...who, ...(args ? { args } : {}), ...(all ? { all } : {}) })
      return
    }
    case 'deny': {
      const { reason } = decision
      await handle.deny(call, { ...who, ...(reason ? { reason } : {}) })
      return
    }
    case 'answer':
      await handle.answer(decision.text, { ...who, id: call })
  }
}

/** What was decided, in words. */
export function decisionText(decision: Decision, tool: string): string {
  switch (decision.kind) {
    case 'approve':
      if (decision.args !== undefined) return 'approved with changed arguments'
      return decision.all ? `approved, as all calls of ${tool} in this turn` : 'approved'
    case 'deny':
      return decision.reason ? `denied: ${decision.reason}` : 'denied'
    case 'answer':
      return 'answered'
  }
}
