import type { Client } from '@temporalio/client'
import { isTemporalCloud } from '../../client/temporal-cloud.js'
import { WORKFLOW_TYPE } from '../../contract/names.js'
import type { Check } from '../check.js'
import { dispatchWaits } from '../dispatch-waits.js'
import { judgeWaits } from '../judge-waits.js'
import type { Subject } from '../subject.js'

/** Runs and events of each that are read. */
const MAX_RUNS = 10
const MAX_EVENTS = 500
/** Hours after which a run says nothing of the server of today. */
const RECENT_HOURS = 24
/** Tasks are dispatched at once, as the histories of recent runs show it. */
export const tuning: Check = {
  name: 'tuning',
  needs: ['namespace'],
  deadlineMs: 15_000,
  look: async (subject) => {
    if (isTemporalCloud(subject.address)) {
      return [{ status: 'skip', text: 'Temporal Cloud tunes itself' }]
    }
    const { runs, waits } = await recentWaits(subject)
    return [judgeWaits(waits, `${runs} runs of the last ${RECENT_HOURS} hours`)]
  },
}

async function recentWaits({ client, taskQueue }: Subject) {
  const since = new Date(Date.now() - RECENT_HOURS * 3_600_000).toISOString()
  const query = `WorkflowType = '${WORKFLOW_TYPE}' AND TaskQueue = '${taskQueue}' AND StartTime > '${since}'`
  const waits: number[] = []
  let runs = 0
  for await (const { workflowId, runId } of client.workflow.list({ query, pageSize: MAX_RUNS })) {
    const events = await firstEvents(client, { workflowId, runId })
    waits.push(...dispatchWaits(events))
    runs += 1
    if (runs === MAX_RUNS) break
  }
  return { runs, waits }
}

/** One page: a long run says no more than its beginning. */
async function firstEvents(
  client: Client,
  execution: { readonly workflowId: string; readonly runId: string },
) {
  const { namespace } = client.options
  const page = await client.workflowService.getWorkflowExecutionHistory({
    namespace,
    execution,
    maximumPageSize: MAX_EVENTS,
  })
  return page.history?.events ?? []
}
