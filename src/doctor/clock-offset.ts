import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { tsToMs } from '@temporalio/common/lib/time.js'

/** Temporal's numbers of a sticky queue and of workflow tasks. */
const STICKY = 2
const WORKFLOW_TASKS = 1
const POLL_MS = 20
/** Milliseconds until the server has told the time, or never will. */
const TOLD_MS = 4_000

/** How far this machine's clock is from the server's, both in milliseconds. */
export interface ClockOffset {
  /** Positive: this machine is ahead. */
  readonly aheadMs: number
  /** The real value is at most so far away: half of the time that asking took. */
  readonly precisionMs: number
}

/**
 * Asks the server for the time. No request answers that, but the server notes when a queue was polled
 * last: so a queue of our own is polled, of the kind that leaves no trace, and then described.
 */
export async function clockOffset(client: Client): Promise<ClockOffset> {
  const identity = `perdure-doctor-${randomUUID()}`
  const taskQueue = { name: identity, kind: STICKY, normalName: 'perdure-doctor' }
  const { namespace } = client.options
  const stop = new AbortController()
  const sentAt = Date.now()
  const poll = client.withDeadline(sentAt + TOLD_MS, () =>
    client.withAbortSignal(stop.signal, () =>
      client.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue, identity }),
    ),
  )
  let failure: unknown
  // It ends with our abort, or at once where it is not allowed.
  const ended = poll.then(
    () => {},
    (error: unknown) => {
      failure = error
    },
  )
  try {
    for (;;) {
      const { pollers } = await client.workflowService.describeTaskQueue({
        namespace,
        taskQueue,
        taskQueueType: WORKFLOW_TASKS,
      })
      const toldAt = Date.now()
      const polledAt = pollers?.find((poller) => poller.identity === identity)?.lastAccessTime
      if (polledAt) {
        const aheadMs = (sentAt + toldAt) / 2 - tsToMs(polledAt)
        return { aheadMs, precisionMs: (toldAt - sentAt) / 2 }
      }
      if (failure !== undefined) throw failure
      await sleep(POLL_MS)
    }
  } finally {
    stop.abort()
    await ended
  }
}
