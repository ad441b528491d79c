// The health check of the worker's container: exit code 0 when the server has seen a worker of this host
// poll the task queue, for workflow tasks and for activities; else 1, with the reason.
import { hostname } from 'node:os'
import { AgentClient } from '../src/client.js'

/** Temporal's TaskQueueType. */
const KINDS = { workflow: 1, activity: 2 } as const
/** A poll is answered after a minute at the latest, and the next one follows at once. */
const POLL_MS = 90_000
/** Below the time-out of the check, so that there is a reason to read. */
const ANSWER_MS = 10_000

async function check(): Promise<string> {
  const agents = await AgentClient.connect({ connection: { connectTimeout: ANSWER_MS } })
  try {
    for (const [kind, taskQueueType] of Object.entries(KINDS)) {
      if (await polls(agents, taskQueueType)) continue
      throw new Error(`no worker of ${hostname()} polls ${agents.taskQueue} for ${kind} tasks`)
    }
    return `a worker of ${hostname()} polls ${agents.taskQueue}`
  } finally {
    await agents.close()
  }
}

async function polls({ client, taskQueue }: AgentClient, taskQueueType: 1 | 2): Promise<boolean> {
  const { namespace } = client.options
  const { pollers } = await client.withDeadline(Date.now() + ANSWER_MS, () =>
    client.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      taskQueueType,
    }),
  )
  // Temporal's workers call themselves process@host.
  return (pollers ?? []).some(({ identity, lastAccessTime }) => {
    const lastMs = Number(lastAccessTime?.seconds ?? 0) * 1000
    return identity?.endsWith(`@${hostname()}`) && Date.now() - lastMs < POLL_MS
  })
}

try {
  process.stdout.write(`${await check()}\n`)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
