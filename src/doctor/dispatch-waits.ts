import type { HistoryEvent } from '../client/history/read-events.js'

/**
 * Milliseconds from which on a task was dispatched: an activity that the server hands to the worker with
 * the answer to its workflow task (eager execution) starts in the moment in which it is scheduled.
 */
const DISPATCHED_MS = 0.5

/**
 * Milliseconds that the tasks of a history waited between scheduled and started: workflow tasks and
 * activity tasks, first attempts only, since later ones wait for their retry too.
 */
export function dispatchWaits(events: Iterable<HistoryEvent>): number[] {
  const scheduledAt = new Map<string, number>()
  const waits: number[] = []
  for (const event of events) {
    const at = exactMs(event)
    const { workflowTaskScheduledEventAttributes: task, activityTaskScheduledEventAttributes } =
      event
    if (activityTaskScheduledEventAttributes || (task && (task.attempt ?? 1) <= 1)) {
      scheduledAt.set(String(event.eventId), at)
    }
    const activity = event.activityTaskStartedEventAttributes
    const started =
      activity && (activity.attempt ?? 1) <= 1 ? activity : event.workflowTaskStartedEventAttributes
    const since = scheduledAt.get(String(started?.scheduledEventId))
    if (since !== undefined && at - since >= DISPATCHED_MS) waits.push(at - since)
  }
  return waits
}

/** Temporal's own conversion drops what is below a millisecond. */
function exactMs({ eventTime }: HistoryEvent): number {
  return Number(eventTime?.seconds ?? 0) * 1_000 + (eventTime?.nanos ?? 0) / 1_000_000
}
