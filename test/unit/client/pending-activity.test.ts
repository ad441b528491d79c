import type { WorkflowExecutionDescription } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { expect, it } from 'vitest'
import { pendingActivities } from '../../../src/client/pending-activity.js'

function pending(...activities: readonly object[]) {
  const raw = { pendingActivities: activities }
  return pendingActivities({ raw } as unknown as Pick<WorkflowExecutionDescription, 'raw'>)
}

const activityType = { name: 'callModel' }

it('an activity waits for a worker, runs, or waits for its next attempt', () => {
  const lastFailure = { message: 'HTTP 503' }
  const next = msToTs(60_000)
  expect(
    pending(
      { activityType, state: 1, attempt: 1 },
      { activityType, state: 2, attempt: 2, lastFailure },
      { activityType, state: 1, attempt: 3, lastFailure, nextAttemptScheduleTime: next },
    ),
  ).toEqual([
    {
      type: 'callModel',
      state: 'waiting_for_worker',
      attempt: 1,
      lastFailure: null,
      nextAttemptAt: null,
    },
    {
      type: 'callModel',
      state: 'running',
      attempt: 2,
      lastFailure: 'HTTP 503',
      nextAttemptAt: null,
    },
    {
      type: 'callModel',
      state: 'waiting_to_retry',
      attempt: 3,
      lastFailure: 'HTTP 503',
      nextAttemptAt: new Date(60_000),
    },
  ])
})

it('a run that is closed has none', () => {
  expect(pending()).toEqual([])
  expect(pendingActivities({ raw: {} } as WorkflowExecutionDescription)).toEqual([])
})
