import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow'
import type { ToolFailure } from '../agent/tool-failure.js'

/** How a tool failed, told without Temporal's classes. */
export function toolFailureOf(error: unknown): ToolFailure {
  // A local activity's failure comes bare, another's wrapped.
  const cause = error instanceof ActivityFailure ? error.cause : error
  if (cause instanceof TimeoutFailure) return { kind: 'timeout', timeoutType: cause.timeoutType }
  if (!(cause instanceof ApplicationFailure)) return { kind: 'other' }
  const { type, message, nonRetryable } = cause
  return {
    kind: 'application',
    type: type ?? undefined,
    message,
    nonRetryable: nonRetryable === true,
  }
}
