import type { Client } from '@temporalio/client'
import { MEMO_KEY, type RunMemo, WORKFLOW_TYPE } from '../contract/names.js'
import { type RunStatusName, statusName } from './run-handle.js'

/** Which runs to list. */
export interface ListOptions {
  /** Runs of this agent only. */
  readonly agent?: string
  /** A further condition in Temporal's list filter, such as `PerdureStopReason = 'max_steps'`. */
  readonly query?: string
}

/** One run of a list. */
export interface ListedRun {
  readonly id: string
  readonly agent: string
  readonly status: RunStatusName
  readonly startedAt: Date
  /** Null while the run is open. */
  readonly closedAt: Date | null
  /** Undefined while the run is open, or where the search attribute is not registered. */
  readonly stopReason: string | undefined
}

/** Runs, the newest first, as Temporal's visibility store has them: about a second behind. */
export async function* listRuns(
  client: Client,
  { agent, query }: ListOptions,
): AsyncGenerator<ListedRun, void> {
  const byAttribute = agent !== undefined && (await hasAttribute(client))
  const conditions = [
    ...(byAttribute ? [`PerdureAgent = '${agent}'`] : []),
    `WorkflowType = '${WORKFLOW_TYPE}'`,
    // One line a run: the executions that it continued from are the same run.
    "ExecutionStatus != 'ContinuedAsNew'",
    ...(query === undefined ? [] : [`(${query})`]),
  ]
  for await (const info of client.workflow.list({ query: conditions.join(' AND ') })) {
    const memo = info.memo?.[MEMO_KEY] as RunMemo | undefined
    // The search attribute is there only where it is registered, a moment later; the memo at once, but not
    // of a run that was started without this client.
    const name = memo?.agent ?? info.searchAttributes['PerdureAgent']?.[0]?.toString() ?? ''
    if (agent !== undefined && name !== agent) continue
    yield {
      id: info.workflowId,
      agent: name,
      status: statusName(info.status.name),
      startedAt: info.startTime,
      closedAt: info.closeTime ?? null,
      stopReason: info.searchAttributes['PerdureStopReason']?.[0]?.toString(),
    }
  }
}

/** Asks for nothing: a namespace without the attribute refuses the filter. */
async function hasAttribute({ workflow }: Client): Promise<boolean> {
  try {
    await workflow.count("PerdureAgent = ''")
    return true
  } catch {
    return false
  }
}
