import type { Client } from '@temporalio/client'
import { tsToMs } from '@temporalio/common/lib/time.js'
import type { temporal } from '@temporalio/proto'

/** Temporal's numbers of task types, and of the form of the answer that has all partitions in it. */
const WORKFLOW_TASKS = 1
const ACTIVITY_TASKS = 2
const ENHANCED = 1

type PollerInfo = temporal.api.taskqueue.v1.IPollerInfo

/** Who polls a queue: when each was seen last, in milliseconds of the server's clock, by identity. */
export interface Pollers {
  readonly workflow: ReadonlyMap<string, number>
  readonly activity: ReadonlyMap<string, number>
}

/** Reads who polls a queue. The server remembers a poller for minutes after its end. */
export async function readPollers(
  client: Client,
  { namespace, taskQueue: name }: { readonly namespace: string; readonly taskQueue: string },
): Promise<Pollers> {
  const request = { namespace, taskQueue: { name } }
  const { workflowService } = client
  const [workflow, activity, enhanced] = await Promise.all([
    workflowService.describeTaskQueue({ ...request, taskQueueType: WORKFLOW_TASKS }),
    workflowService.describeTaskQueue({ ...request, taskQueueType: ACTIVITY_TASKS }),
    // The plain form looks at the first partition only, this one is not on every server.
    workflowService
      .describeTaskQueue({
        ...request,
        apiMode: ENHANCED,
        reportPollers: true,
        taskQueueTypes: [WORKFLOW_TASKS, ACTIVITY_TASKS],
      })
      .catch(() => undefined),
  ])
  const ofAll = (type: number) =>
    Object.values(enhanced?.versionsInfo ?? {}).flatMap(
      ({ typesInfo }) => typesInfo?.[type]?.pollers ?? [],
    )
  return {
    workflow: byIdentity([...(workflow.pollers ?? []), ...ofAll(WORKFLOW_TASKS)]),
    activity: byIdentity([...(activity.pollers ?? []), ...ofAll(ACTIVITY_TASKS)]),
  }
}

function byIdentity(pollers: readonly PollerInfo[]): ReadonlyMap<string, number> {
  const seen = new Map<string, number>()
  for (const { identity, lastAccessTime } of pollers) {
    const at = lastAccessTime ? tsToMs(lastAccessTime) : 0
    const known = identity || 'unnamed'
    seen.set(known, Math.max(at, seen.get(known) ?? 0))
  }
  return seen
}
