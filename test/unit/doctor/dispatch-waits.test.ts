import { expect, it } from 'vitest'
import type { HistoryEvent } from '../../../src/client/history/read-events.js'
import { dispatchWaits } from '../../../src/doctor/dispatch-waits.js'

/** Events by milliseconds, each with what it holds; their ids count from 1. */
function history(...events: readonly (readonly [number, object])[]): HistoryEvent[] {
  return events.map(
    ([ms, attributes], i) =>
      ({
        eventId: i + 1,
        eventTime: { seconds: 100 + Math.floor(ms / 1000), nanos: (ms % 1000) * 1_000_000 },
        ...attributes,
      }) as unknown as HistoryEvent,
  )
}

const task = (attempt: number) => ({ workflowTaskScheduledEventAttributes: { attempt } })
const taskStarted = (id: number) => ({
  workflowTaskStartedEventAttributes: { scheduledEventId: id },
})
const activity = { activityTaskScheduledEventAttributes: {} }
const activityStarted = (id: number, attempt: number) => ({
  activityTaskStartedEventAttributes: { scheduledEventId: id, attempt },
})

it('are read of workflow tasks and of activities, across a full second', () => {
  const events = history(
    [995, task(1)],
    [1_007.5, taskStarted(1)],
    [1_010, activity],
    [1_040, activityStarted(3, 1)],
  )
  expect(dispatchWaits(events).map(Math.round)).toEqual([13, 30])
})

it('are not those of retries, nor of activities that are handed over at once', () => {
  const events = history(
    [0, task(2)],
    [500, taskStarted(1)],
    [600, activity],
    [600.1, activityStarted(3, 1)],
    [700, activity],
    [1_700, activityStarted(5, 2)],
  )
  expect(dispatchWaits(events)).toEqual([])
})
