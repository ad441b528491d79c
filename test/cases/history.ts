import type { Client } from '@temporalio/client'
import { readChain } from '../../src/client/history/chain.js'
import type { HistoryEvent } from '../../src/client/history/read-events.js'
import { StepReader } from '../../src/client/history/step-reader.js'
import type { Step } from '../../src/client.js'

/** The events of a run, of all executions of its chain. */
export async function chainOf(client: Client, workflowId: string): Promise<HistoryEvent[]> {
  const { runId } = await client.workflow.getHandle(workflowId).describe()
  const events: HistoryEvent[] = []
  for await (const event of readChain(client, { workflowId, runId, follow: false })) {
    events.push(event)
  }
  return events
}

/** The steps that a history tells, as a run's handle reads them. */
export async function stepsOf(client: Client, events: readonly HistoryEvent[]): Promise<Step[]> {
  const reader = new StepReader(client.options.loadedDataConverter)
  for (const event of events) await reader.take(event)
  return reader.steps
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
