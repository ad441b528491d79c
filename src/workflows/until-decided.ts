import { condition, setCurrentDetails } from '@temporalio/workflow'
import { currentDetails } from '../agent/render.js'
import { decide, pendingRequests } from '../agent/requests.js'
import type { Decision, PendingRequest } from '../contract/requests.js'
import type { RunState } from '../contract/run.js'
import { upsertWaiting } from './search-attributes.js'

/**
 * Waits for a person's word on a call, at most until its deadline: that is its denial. Null when the
 * execution should continue as new first.
 */
export async function untilDecided(
  state: RunState,
  request: PendingRequest,
  shouldLeave: () => boolean,
): Promise<Decision | null> {
  const decision = () => state.open?.decisions[`${request.call}`]
  upsertWaiting(state)
  const inTime = await condition(
    () => decision() !== undefined || shouldLeave(),
    Math.max(1, request.deadline - Date.now()),
  )
  if (!inTime) decide(state, request, { kind: 'expired', by: null, at: Date.now() })
  const decided = decision() ?? null
  setCurrentDetails(currentDetails(state, null))
  if (pendingRequests(state).length === 0) upsertWaiting(state)
  return decided
}
