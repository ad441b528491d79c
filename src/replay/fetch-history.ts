import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { RunNotFoundError } from '../client/errors/run-not-found-error.js'
import { readChain } from '../client/history/chain.js'
import type { HistoryEvent } from '../client/history/read-events.js'
import type { RecordedExecution, RunHistory } from './run-history.js'

/**
 * Reads the history of a run from a server: all executions of its chain, page by page, so that its size
 * does not matter.
 *
 * @throws RunNotFoundError
 */
export async function fetchHistory(client: Client, id: string): Promise<RunHistory> {
  try {
    const { runId } = await client.workflow.getHandle(id).describe()
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
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
    throw new RunNotFoundError(id, client.options.namespace, { cause: error })
  }
}
