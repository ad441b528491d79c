import type { Client } from '@temporalio/client'
import { type HistoryEvent, type ReadOptions, readEvents } from './read-events.js'

/** One execution of a chain. */
interface Execution {
  readonly workflowId: string
  readonly runId: string
}

/** Temporal's HistoryEventFilterType of the event that ends an execution. */
const CLOSE_EVENT = 2

/**
 * The events of a whole chain: the first execution and all those it continued as, in order. `runId` is
 * any execution of the chain. A reset begins a chain of its own, with what it kept of the old one.
 */
export async function* readChain(
  client: Client,
  options: ReadOptions,
): AsyncGenerator<HistoryEvent, void> {
  let runId: string | undefined = await firstOf(client, options)
  while (runId !== undefined) {
    let next: string | undefined
    for await (const event of readEvents(client, { ...options, runId })) {
      yield event
      next = event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? next
    }
    runId = next
  }
}

async function firstOf(client: Client, { workflowId, runId }: Execution): Promise<string> {
  for (let id = runId; ; ) {
    const before = await continuedFrom(client, { workflowId, runId: id })
    if (before === undefined) return id
    id = before
  }
}

async function continuedFrom(client: Client, execution: Execution): Promise<string | undefined> {
  for await (const event of readEvents(client, { ...execution, follow: false })) {
    return event.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined
  }
  return undefined
}

/** The newest execution of the chain that an execution belongs to. */
export async function newestOf(client: Client, { workflowId, runId }: Execution): Promise<string> {
  for (let id = runId; ; ) {
    const { status } = await client.workflow.getHandle(workflowId, id).describe()
    // Of an open execution the server would wait for the event.
    if (status.name !== 'CONTINUED_AS_NEW') return id
    const { history } = await client.workflowService.getWorkflowExecutionHistory({
      namespace: client.options.namespace,
      execution: { workflowId, runId: id },
      historyEventFilterType: CLOSE_EVENT,
    })
    const next = history?.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes
    if (!next?.newExecutionRunId) return id
    id = next.newExecutionRunId
  }
}
