import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'

/** What the server counted for all executions of one run together. */
export interface ChainFacts {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly closedAt: number
  readonly historyBytes: number
  readonly historyEvents: number
  /** One more than it continued as new. */
  readonly executions: number
}

const CLOSE_EVENT =
  proto.temporal.api.enums.v1.HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT

/** Reads a run that has ended, from its first execution to its last. */
export async function readChain(client: Client, workflowId: string): Promise<ChainFacts> {
  const newest = await client.workflow.getHandle(workflowId).describe()
  const firstRunId = newest.raw.workflowExecutionInfo?.firstRunId || newest.runId
  const executions = [newest]
  for (let runId = firstRunId; runId !== newest.runId; ) {
    executions.push(await client.workflow.getHandle(workflowId, runId).describe())
    runId = await nextRunId(client, { workflowId, runId })
  }
  const sum = (of: (execution: typeof newest) => number) =>
    executions.reduce((total, execution) => total + of(execution), 0)
  return {
    startedAt: Math.min(...executions.map(({ startTime }) => startTime.getTime())),
    closedAt: newest.closeTime?.getTime() ?? Number.NaN,
    historyBytes: sum(({ historySize }) => historySize ?? Number.NaN),
    historyEvents: sum(({ historyLength }) => historyLength),
    executions: executions.length,
  }
}

async function nextRunId(
  client: Client,
  execution: { readonly workflowId: string; readonly runId: string },
): Promise<string> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution,
    historyEventFilterType: CLOSE_EVENT,
  })
  const [event] = history?.events ?? []
  const next = event?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId
  if (next) return next
  throw new Error(`${execution.workflowId}: nothing follows ${execution.runId}`)
}
