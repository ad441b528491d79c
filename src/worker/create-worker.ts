import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker'
import { beatMs } from '../activities/heartbeat.js'
import { NamespaceError } from '../client/errors/namespace-error.js'
import { ServerUnreachableError } from '../client/errors/server-unreachable-error.js'
import { DEFAULT_ADDRESS, loadProfile } from '../client/profile.js'
import { bundleConfig, modelConfig, taskQueueConfig } from '../config.js'
import { DEFAULT_TASK_QUEUE } from '../contract/names.js'
import { DefinitionError } from '../definition/definition-error.js'
import { milliseconds } from '../definition/duration.js'
import { createActivities } from './activities.js'
import { resolveModels } from './models.js'
import { registeredAttributes } from './registered-attributes.js'
import { rejectOwnQueue } from './reject-own-queue.js'
import type { RunWorkerOptions } from './worker-options.js'
import { workflowSource } from './workflow-source.js'

/** A worker that has been made and not yet run. */
export interface AgentWorker {
  readonly taskQueue: string
  readonly namespace: string
  /** Temporal's worker. */
  readonly worker: Worker
  /** Polls until the worker is told to stop; resolves when everything has ended. Call it once. */
  run(): Promise<void>
  /** Tells the worker to stop; `run` resolves when it has. May be called at any time, again too. */
  shutdown(): void
}

/**
 * Makes a worker for agents: checks the definitions, connects, loads the workflows. Whoever makes
 * one runs it, even if only to end it: `run` after `shutdown` closes what was opened.
 *
 * @throws MissingModelError when an agent's model is not to be had
 * @throws DefinitionError when two agents or tools have one name
 * @throws SdkMismatchError when the installed version of Temporal's SDK does not fit
 * @throws ServerUnreachableError, NamespaceError
 */
export async function createWorker(options: RunWorkerOptions): Promise<AgentWorker> {
  const { agents, model } = options
  const models = resolveModels({
    agents,
    models: options.models ?? {},
    model,
    config: modelConfig(),
  })
  const heartbeatTimeoutMs = milliseconds(options.heartbeatTimeout ?? '10s', 'heartbeatTimeout')
  const drain = new AbortController()
  const { tokenizer, artifacts, prices } = options
  const parts = { agents, models, tokenizer, artifacts, prices, draining: drain.signal }
  // Bad definitions, and an SDK that does not fit, are found before anything is connected.
  createActivities({ ...parts, worker: { heartbeatTimeoutMs, searchAttributes: [] } })
  const workflows = workflowSource({ ...options, bundle: options.bundle ?? bundleConfig() })
  const taskQueue = options.taskQueue ?? taskQueueConfig() ?? DEFAULT_TASK_QUEUE
  rejectOwnQueue(agents, taskQueue, options.worker?.activities)
  await artifacts?.open?.((message) => Runtime.instance().logger.warn(message))

  const { connection, namespace, close } = await connect(options)
  try {
    const searchAttributes = await registeredAttributes(connection, namespace)
    const about = { heartbeatTimeoutMs, searchAttributes }
    const worker = await Worker.create({
      ...workflows,
      ...timing(options, heartbeatTimeoutMs),
      ...(options.dataConverter === undefined ? {} : { dataConverter: options.dataConverter }),
      ...(options.interceptors === undefined ? {} : { interceptors: options.interceptors }),
      ...options.worker,
      activities: withOwn(
        createActivities({ ...parts, worker: about }),
        options.worker?.activities,
      ),
      connection,
      namespace,
      taskQueue,
    })
    return agentWorker({ worker, taskQueue, namespace, drain, close })
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Runs a worker for agents until the process is told to stop (SIGINT, SIGTERM). Running calls get
 * `shutdownGraceTime` to end; what does not end in time is tried by another worker.
 *
 * @throws MissingModelError when an agent's model is not to be had
 * @throws DefinitionError when two agents or tools have one name
 * @throws SdkMismatchError when the installed version of Temporal's SDK does not fit
 * @throws ServerUnreachableError, NamespaceError
 */
export async function runWorker(options: RunWorkerOptions): Promise<void> {
  const worker = await createWorker(options)
  await worker.run()
}

interface Parts {
  readonly worker: Worker
  readonly taskQueue: string
  readonly namespace: string
  readonly drain: AbortController
  close(): Promise<void>
}

function agentWorker({ worker, taskQueue, namespace, drain, close }: Parts): AgentWorker {
  let told = false
  return {
    taskQueue,
    namespace,
    worker,
    run: async () => {
      try {
        // Told before it began: Temporal's worker must run to be ended.
        const running = runAndWatch(worker, drain)
        if (told) worker.shutdown()
        await running
      } finally {
        await close()
      }
    },
    shutdown: () => {
      told = true
      if (worker.getState() === 'RUNNING') worker.shutdown()
    },
  }
}

/** How long a worker may be silent, and how long it may take to end. */
function timing(options: RunWorkerOptions, heartbeatTimeoutMs: number): Partial<WorkerOptions> {
  const graceMs = milliseconds(options.shutdownGraceTime ?? '10s', 'shutdownGraceTime')
  return {
    stickyQueueScheduleToStartTimeout: options.stickyQueueScheduleToStartTimeout ?? '5s',
    shutdownGraceTime: graceMs,
    // Calls that do not listen are left behind when the grace time is over; this is for what is not ours.
    shutdownForceTime: graceMs + FORCE_MS,
    // No beat may be held back: a cancellation comes with the answer to one.
    maxHeartbeatThrottleInterval: beatMs(heartbeatTimeoutMs),
  }
}

/** The caller's activities beside perdure's. */
function withOwn(ours: Record<string, unknown>, theirs: object | undefined): object {
  for (const name of Object.keys(theirs ?? {})) {
    if (!Object.hasOwn(ours, name)) continue
    throw new DefinitionError(
      `worker.activities: "${name}" is the activity of a tool, or perdure's own: rename it.`,
    )
  }
  return { ...theirs, ...ours }
}

/** Milliseconds after the grace time at which Temporal's worker gives up on everything. */
const FORCE_MS = 5_000

async function connect(options: RunWorkerOptions) {
  const { connectionOptions, ...profile } = loadProfile(options)
  const namespace = options.namespace ?? profile.namespace ?? 'default'
  const address = options.address ?? connectionOptions.address ?? DEFAULT_ADDRESS
  const connection =
    options.connection ??
    (await NativeConnection.connect({ ...connectionOptions, address }).catch((cause: unknown) => {
      throw new ServerUnreachableError(address, { cause })
    }))
  const close = async () => {
    if (options.connection === undefined) await connection.close()
  }
  try {
    // A worker of a namespace that is none would say so only after seconds, and not end.
    await connection.workflowService.describeNamespace({ namespace })
  } catch (cause) {
    await close()
    throw new NamespaceError(namespace, { cause })
  }
  return { connection, namespace, close }
}

/** Milliseconds between two looks at the worker's state. */
const WATCH_MS = 100

async function runAndWatch(worker: Worker, drain: AbortController): Promise<void> {
  // The SDK handles the signals and tells nobody; queries that wait for this worker must not hang.
  const timer = setInterval(() => {
    if (worker.getState() !== 'RUNNING' && worker.getState() !== 'INITIALIZED') drain.abort()
  }, WATCH_MS)
  try {
    await worker.run()
  } finally {
    clearInterval(timer)
  }
}
