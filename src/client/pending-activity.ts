import type { WorkflowExecutionDescription } from '@temporalio/client'
import { tsToMs } from '@temporalio/common/lib/time.js'

/** Temporal's number of the state of an activity that no worker has. */
const SCHEDULED = 1

/** An activity of an open run that has not ended. */
export interface PendingActivity {
  /** Temporal's activity type: `callModel`, or that of a tool. */
  readonly type: string
  readonly state: 'running' | 'waiting_for_worker' | 'waiting_to_retry'
  /** The attempt under way, or the next one; from 1. */
  readonly attempt: number
  /** Why the attempt before failed; null in the first. */
  readonly lastFailure: string | null
  /** When the next attempt begins; null unless it waits for that. */
  readonly nextAttemptAt: Date | null
}

/** What an open run is waiting for. The history tells of attempts only when they are over. */
export function pendingActivities({
  raw,
}: Pick<WorkflowExecutionDescription, 'raw'>): PendingActivity[] {
  return (raw.pendingActivities ?? []).map((pending) => {
    const { activityType, state, attempt, lastFailure, nextAttemptScheduleTime: next } = pending
    const nextAttemptAt = next ? new Date(tsToMs(next)) : null
    const isWaiting = state === SCHEDULED
    return {
      type: activityType?.name ?? '',
      state: isWaiting ? (nextAttemptAt ? 'waiting_to_retry' : 'waiting_for_worker') : 'running',
      attempt: attempt ?? 1,
      lastFailure: lastFailure?.message ?? null,
      nextAttemptAt: isWaiting ? nextAttemptAt : null,
    }
  })
}
