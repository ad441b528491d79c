import type { HistoryEvent } from '../../src/client/history/read-events.js'

/** Attempts at activities of one type that are in a history. */
export function attempts(events: readonly HistoryEvent[], type: string): number {
  let ids = new Set<string>()
  let sum = 0
  for (const event of events) {
    // Ids count anew in each execution of a chain.
    if (event.workflowExecutionStartedEventAttributes) ids = new Set()
    const scheduled = event.activityTaskScheduledEventAttributes
    if (scheduled?.activityType?.name === type) ids.add(String(event.eventId))
    const started = event.activityTaskStartedEventAttributes
    if (ids.has(String(started?.scheduledEventId))) sum += started?.attempt ?? 0
  }
  return sum
}
