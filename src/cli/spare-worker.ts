import type { AgentClient } from '../client/agent-client.js'
import type { Agent } from '../definition/define-agent.js'
import { createWorker } from '../worker/create-worker.js'
import type { RunWorkerOptions } from '../worker/worker-options.js'
import { logFrom } from './quiet.js'
import { SpareWorkerStoppedError } from './spare-worker-stopped-error.js'

/** Milliseconds that the workers elsewhere have to take a run: far more than a live one needs. */
const GRACE_MS = 5_000

/** Temporal's TaskQueueType of workflow tasks. */
const WORKFLOW_TASKS = 1

/** What works a run here, if it has to. */
export interface SpareWorkerOptions {
  readonly client: AgentClient
  readonly run: {
    readonly id: string
    /** **Contract:** true when a worker has it, or none is needed any more. */
    isWorked(): Promise<boolean>
  }
  /** The agents that this process could work; none: it only says that nobody does. */
  readonly agents: readonly Agent[]
  /** Options of the worker, such as how to connect. */
  readonly worker: Omit<RunWorkerOptions, 'agents'>
  readonly log: (text: string) => void
}

/**
 * Works a run in this process if nobody else takes it in time; without agents, says so instead.
 * `stop` ends the worker; `failed` rejects when it could not be made, and never resolves.
 */
export function startSpareWorker(options: SpareWorkerOptions): {
  readonly failed: Promise<never>
  stop(): Promise<void>
} {
  const stop = new AbortController()
  const work = workIfNobodyDoes(options, stop.signal)
  const failed = new Promise<never>((_, reject) => {
    work.catch(reject)
  })
  // Whoever does not race against `failed` must not be ended by it.
  failed.catch(() => {})
  return {
    failed,
    stop: async () => {
      stop.abort()
      await work.catch(() => {})
    },
  }
}

async function workIfNobodyDoes(
  { client, run, agents, worker, log }: SpareWorkerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { taskQueue } = client
  if ((await isTaken(client, run)) || signal.aborted) return
  if (agents.length === 0) {
    log(`no worker polls task queue "${taskQueue}": the run waits until one does`)
    return
  }
  log(`no worker polls task queue "${taskQueue}": this process works the run`)
  logFrom('WARN')
  const spare = await createWorker({ ...worker, agents, taskQueue })
  signal.addEventListener('abort', () => spare.shutdown(), { once: true })
  if (signal.aborted) spare.shutdown()
  await spare.run()
  if (!signal.aborted) throw new SpareWorkerStoppedError(run.id)
}

/** A worker that has a run answers its status query; the query itself waits for a second. */
async function isTaken(client: AgentClient, run: SpareWorkerOptions['run']): Promise<boolean> {
  const deadline = Date.now() + GRACE_MS
  do {
    if (await run.isWorked()) return true
    // Pollers are remembered for minutes after their end: none means none, some may mean none.
  } while (Date.now() < deadline && (await hasPollers(client)))
  return false
}

async function hasPollers({ client, taskQueue }: AgentClient): Promise<boolean> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW_TASKS,
  })
  return (pollers ?? []).length > 0
}
