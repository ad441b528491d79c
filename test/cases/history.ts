import type { Client } from '@temporalio/client'
import type { temporal } from '@temporalio/proto'
import { StepReader } from '../../src/client/history/step-reader.js'
import type { Step } from '../../src/client.js'

/** One event of a history. */
export type HistoryEvent = temporal.api.history.v1.IHistoryEvent

/** The events of a run, of all executions of its chain. */
export async function chainOf(client: Client, workflowId: string): Promise<HistoryEvent[]> {
  const { runId } = await client.workflow.getHandle(workflowId).describe()
  let events = await eventsOf(client, workflowId, runId)
  for (let before = continuedFrom(events); before; ) {
    const earlier = await eventsOf(client, workflowId, before)
    before = continuedFrom(earlier)
    events = [...earlier, ...events]
  }
  return events
}

/** The steps that a history tells, as a run's handle reads them. */
export async function stepsOf(client: Client, events: readonly HistoryEvent[]): Promise<Step[]> {
  const reader = new StepReader(client.options.loadedDataConverter)
  for (const event of events) await reader.take(event)
  return reader.steps
}

function continuedFrom(events: readonly HistoryEvent[]): string | null | undefined {
  return events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId
}

/** Page by page: one response takes 4 MB at most. */
async function eventsOf(client: Client, workflowId: string, runId: string) {
  const events: HistoryEvent[] = []
  let nextPageToken: Uint8Array | null | undefined
  do {
    const page = await client.workflowService.getWorkflowExecutionHistory({
      namespace: client.options.namespace,
      execution: { workflowId, runId },
      maximumPageSize: 50,
      ...(nextPageToken ? { nextPageToken } : {}),
    })
    events.push(...(page.history?.events ?? []))
    nextPageToken = page.nextPageToken
  } while (nextPageToken && nextPageToken.length > 0)
  return events
}

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

/** Requests that were sent again without a parameter that the server had refused. */
export function resends(events: readonly HistoryEvent[]): number {
  return events
    .map((event) => event.activityTaskCompletedEventAttributes?.result?.payloads?.[0]?.data)
    .map((data) => (data ? JSON.parse(Buffer.from(data).toString()) : null))
    .reduce((sum: number, result) => sum + (result?.adapted?.length ?? 0), 0)
}

/** The types of all activities that were scheduled, but for the model's. */
export function toolsScheduled(events: readonly HistoryEvent[]): string[] {
  return events
    .map((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? 'callModel')
    .filter((type) => type !== 'callModel')
}
