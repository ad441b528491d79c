import { type Client, isGrpcServiceError } from '@temporalio/client'
import type { temporal } from '@temporalio/proto'

/** One event of a workflow history, as the server stores it. */
export type HistoryEvent = temporal.api.history.v1.IHistoryEvent

/** Events in one response at most; fewer where a response is too large for the caller's connection. */
const PAGE_SIZE = 100
/** gRPC's code of a response that is too large. */
const RESOURCE_EXHAUSTED = 8

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
  options: ReadOptions,
): AsyncGenerator<HistoryEvent, void> {
  let token: Uint8Array | null | undefined
  let size = PAGE_SIZE
  for (;;) {
    const page = await readPage(client, options, { size, token })
    if (page === 'too large') {
      size = Math.ceil(size / 4)
      continue
    }
    yield* page.history?.events ?? []
    token = page.nextPageToken
    if (!token || token.length === 0) return
  }
}

async function readPage(
  client: Client,
  { workflowId, runId, follow, signal }: ReadOptions,
  { size, token }: { size: number; token: Uint8Array | null | undefined },
) {
  const request = {
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: size,
    waitNewEvent: follow,
    ...(token ? { nextPageToken: token } : {}),
  }
  const read = () => client.workflowService.getWorkflowExecutionHistory(request)
  try {
    // The SDK leaves a listener on the signal at each call: a derived one takes it along when it goes.
    return await (signal === undefined
      ? read()
      : client.withAbortSignal(AbortSignal.any([signal]), read))
  } catch (error) {
    const isTooLarge = isGrpcServiceError(error) && error.code === RESOURCE_EXHAUSTED
    if (isTooLarge && size > 1) return 'too large'
    throw error
  }
}
