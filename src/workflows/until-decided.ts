import { condition, setCurrentDetails } from '@temporalio/workflow'
import { currentDetails } from '../agent/render.js'
import { decide } from '../agent/requests.js'
import type { Decision, PendingRequest } from '../contract/requests.js'
import type { RunState } from '../contract/run.js'
import { showWaiting } from './waiting.js'

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
  showWaiting(state)
  const inTime = await condition(
    () => decision() !== undefined || shouldLeave(),
    Math.max(1, request.deadline - Date.now()),
  )
  if (!inTime) decide(state, request, { kind: 'expired', by: null, at: Date.now() })
  const decided = decision() ?? null
  setCurrentDetails(currentDetails(state, null))
  showWaiting(state)
  return decided
}
