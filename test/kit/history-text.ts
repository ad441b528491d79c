import type { temporal } from '@temporalio/proto'

type HistoryEvent = temporal.api.history.v1.IHistoryEvent

/** Everything readable in a history, payloads decoded from bytes: to search it for what must not be there. */
export function historyText(events: readonly HistoryEvent[] | null | undefined): string {
  return (events ?? []).map(textOf).join('\n')
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([key, inner]) => `${key}: ${textOf(inner)}`)
    .join('\n')
}
