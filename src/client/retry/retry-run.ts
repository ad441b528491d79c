import { randomUUID } from 'node:crypto'
import type { Client, WorkflowService } from '@temporalio/client'
import { shorten } from '../../contract/text.js'
import type { RetryPlan } from './retry-plan.js'

type EventId = NonNullable<
  Parameters<WorkflowService['resetWorkflowExecution']>[0]['workflowTaskFinishEventId']
>

/**
 * Resets a run as planned.
 *
 * @returns the execution in which it goes on; where somebody was quicker, that of the other
 */
export async function retryRun(client: Client, plan: RetryPlan): Promise<string> {
  const { id, runId, eventId, step, why } = plan
  // A request id would not keep a second request from resetting once more (measured).
  const { raw } = await client.workflow.getHandle(id, runId).describe()
  const before = raw.workflowExtendedInfo?.resetRunId
  if (before) return before
  const answer = await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId: id, runId },
    // The encoder takes plain numbers, its types do not.
    workflowTaskFinishEventId: eventId as unknown as EventId,
    reason: shorten(`perdure retry from step ${step}: ${why}`, 500),
    requestId: randomUUID(),
  })
  return answer.runId
}
