import type { Client } from '@temporalio/client'
import { GRPC, grpcCode } from '../client/errors/grpc.js'
import { RunNotFoundError } from '../client/errors/run-not-found-error.js'
import { readChain } from '../client/history/chain.js'
import type { HistoryEvent } from '../client/history/read-events.js'
import type { RecordedExecution, RunHistory } from './run-history.js'

/**
 * Reads the history of a run from a server: all executions of its chain, page by page, so that its size
 * does not matter. Nothing is decoded: the client needs no data converter.
 *
 * @throws RunNotFoundError
 */
export async function fetchHistory(client: Client, id: string): Promise<RunHistory> {
  const runId = await newestRunId(client, id)
  const executions: RecordedExecution[] = []
  let events: HistoryEvent[] = []
  for await (const event of readChain(client, { workflowId: id, runId, follow: false })) {
    const started = event.workflowExecutionStartedEventAttributes
    if (started) {
      events = []
      executions.push({ runId: started.originalExecutionRunId ?? '', events })
    }
    events.push(event)
  }
  return { id, executions }
}

/** By the service itself: a handle's `describe` decodes the memo. */
async function newestRunId(client: Client, workflowId: string): Promise<string> {
  const { namespace } = client.options
  try {
    const { workflowExecutionInfo: info } = await client.workflowService.describeWorkflowExecution({
      namespace,
      execution: { workflowId },
    })
    return info?.execution?.runId ?? ''
  } catch (cause) {
    if (grpcCode(cause) !== GRPC.notFound) throw cause
    throw new RunNotFoundError(workflowId, namespace, { cause })
  }
}
