import type { Client } from '@temporalio/client'
import type { temporal } from '@temporalio/proto'

/** One event of a workflow history, as the server stores it. */
export type HistoryEvent = temporal.api.history.v1.IHistoryEvent

/** Events in one response at most: a response above 4 MB is refused by gRPC, and one event may hold much. */
const PAGE_SIZE = 100

/** Which execution to read, and how. */
export interface ReadOptions {
  readonly workflowId: string
  readonly runId: string
  /** True: waits for new events until the execution has ended. */
  readonly follow: boolean
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined
}

/** The events of one execution, in order, page by page. Needs no worker. */
export async function* readEvents(
  client: Client,
  { workflowId, runId, follow, signal }: ReadOptions,
): AsyncGenerator<HistoryEvent, void> {
  let nextPageToken: Uint8Array | null | undefined
  do {
    const request = {
      namespace: client.options.namespace,
      execution: { workflowId, runId },
      maximumPageSize: PAGE_SIZE,
      waitNewEvent: follow,
      ...(nextPageToken ? { nextPageToken } : {}),
    }
    const page = await abortable(client, signal, () =>
      client.workflowService.getWorkflowExecutionHistory(request),
    )
    yield* page.history?.events ?? []
    nextPageToken = page.nextPageToken
  } while (nextPageToken && nextPageToken.length > 0)
}

/**
 * The events of a whole chain: the first execution and all those it continued as, in order.
 *
 * `runId` is any execution of the chain; reading begins at the first one.
 */
export async function* readChain(
  client: Client,
  options: ReadOptions,
): AsyncGenerator<HistoryEvent, void> {
  let runId: string | undefined = await firstRunId(client, options)
  while (runId !== undefined) {
    let next: string | undefined
    for await (const event of readEvents(client, { ...options, runId })) {
      yield event
      next = event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? next
    }
    runId = next
  }
}

async function firstRunId(client: Client, options: ReadOptions): Promise<string> {
  for await (const event of readEvents(client, { ...options, follow: false })) {
    return event.workflowExecutionStartedEventAttributes?.firstExecutionRunId || options.runId
  }
  return options.runId
}

function abortable<T>(
  client: Client,
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
): Promise<T> {
  // The SDK leaves a listener on the signal at each call: a derived signal takes it along when it goes.
  return signal === undefined ? call() : client.withAbortSignal(AbortSignal.any([signal]), call)
}
