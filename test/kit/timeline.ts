import type { HistoryEvent } from '../../src/client/history/read-events.js'

/** One activity of a history, as the Temporal UI names it. */
export interface Activity {
  readonly type: string
  /** The line beside it; '' without one. */
  readonly summary: string
  /** True for a local activity, which is a marker. */
  readonly local: boolean
}

/** The activities of a history in the order of their first event, `prepareTurn` aside. */
export function timelineOf(events: readonly HistoryEvent[] | null | undefined): Activity[] {
  return (events ?? []).flatMap((event) => {
    const marker = event.markerRecordedEventAttributes?.details?.['data']?.payloads?.[0]?.data
    const type =
      event.activityTaskScheduledEventAttributes?.activityType?.name ??
      (decoded(marker) as { activity_type?: string } | null)?.activity_type
    if (type === undefined || type === null || type === 'prepareTurn') return []
    const summary = decoded(event.userMetadata?.summary?.data)
    return [{ type, summary: String(summary ?? ''), local: marker !== undefined }]
  })
}

function decoded(data: Uint8Array | null | undefined): unknown {
  return data ? JSON.parse(Buffer.from(data).toString()) : null
}
