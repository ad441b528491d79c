import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DataConverter, Duration } from '@temporalio/common'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import {
  NativeConnection,
  Worker,
  type WorkerInterceptors,
  type WorkerOptions,
} from '@temporalio/worker'
import { modelConfig, taskQueueConfig } from '../config.js'
import { DEFAULT_TASK_QUEUE } from '../contract/names.js'
import type { Agent } from '../definition/define-agent.js'
import { milliseconds } from '../definition/duration.js'
import type { Model } from '../models/model.js'
import { createActivities } from './activities.js'
import { type ModelRegistry, resolveModels } from './models.js'
import { registeredAttributes } from './registered-attributes.js'

/** Options of {@link runWorker}. */
export interface RunWorkerOptions {
  /** The agents that this worker can run. */
  readonly agents: readonly Agent[]
  /** Models by the names that agents use for them: what `openaiCompatible` describes, or your own. @default none */
  readonly models?: ModelRegistry
  /** The model for every other name. @default the OpenAI-compatible API of OPENAI_API_KEY and OPENAI_BASE_URL */
  readonly model?: Model
  /** @default PERDURE_TASK_QUEUE, else 'perdure' */
  readonly taskQueue?: string
  /** `host:port` of the server. @default TEMPORAL_ADDRESS or the TOML profile, else localhost:7233 */
  readonly address?: string
  /** @default TEMPORAL_NAMESPACE or the TOML profile, else 'default' */
  readonly namespace?: string
  /** The TOML profile to read. @default TEMPORAL_PROFILE, else 'default' */
  readonly profile?: string
  /** A connection of the caller's, left open. @default made from Temporal's environment or TOML profile */
  readonly connection?: NativeConnection
  /** A worker silent for so long is dead, and what it did is tried elsewhere. @default '10s' */
  readonly heartbeatTimeout?: Duration
  /** After so long the workflows of a dead worker move to another. @default '5s' */
  readonly stickyQueueScheduleToStartTimeout?: Duration
  /** Time that running calls get when the worker is told to stop (SIGTERM). @default '10s' */
  readonly shutdownGraceTime?: Duration
  /** The caller's converter and codecs, the same as the client's. @default Temporal's JSON */
  readonly dataConverter?: DataConverter
  readonly interceptors?: WorkerInterceptors
  /** Any other option of Temporal's `Worker.create`; wins over what perdure sets. */
  readonly worker?: Partial<WorkerOptions>
}

/** A worker that has been made and not yet run. */
export interface AgentWorker {
  readonly taskQueue: string
  readonly namespace: string
  /** Temporal's worker. */
  readonly worker: Worker
  /** Polls until the worker is told to stop; resolves when everything has ended. */
  run(): Promise<void>
  /** Tells the worker to stop; `run` resolves when it has. */
  shutdown(): void
}

/**
 * Makes a worker for agents: connects, checks the definitions, builds the workflow bundle.
 *
 * @throws MissingModelError when no model is configured
 * @throws DefinitionError when two agents or tools have one name
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
  const parts = { agents, models, draining: drain.signal }
  // Bad definitions are found before anything is connected.
  createActivities({ ...parts, worker: { heartbeatTimeoutMs, searchAttributes: [] } })

  const { connection, namespace } = await connect(options)
  const taskQueue = options.taskQueue ?? taskQueueConfig() ?? DEFAULT_TASK_QUEUE
  const searchAttributes = await registeredAttributes(connection, namespace)
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    ...workflowSource(options.worker),
    activities: createActivities({ ...parts, worker: { heartbeatTimeoutMs, searchAttributes } }),
    stickyQueueScheduleToStartTimeout: options.stickyQueueScheduleToStartTimeout ?? '5s',
    shutdownGraceTime: options.shutdownGraceTime ?? '10s',
    // A cancellation comes with the answer to a heartbeat, so none may be held back for longer.
    maxHeartbeatThrottleInterval: heartbeatTimeoutMs / 4,
    ...(options.dataConverter === undefined ? {} : { dataConverter: options.dataConverter }),
    ...(options.interceptors === undefined ? {} : { interceptors: options.interceptors }),
    ...options.worker,
  })
  return {
    taskQueue,
    namespace,
    worker,
    run: async () => {
      try {
        await runAndWatch(worker, drain)
      } finally {
        if (options.connection === undefined) await connection.close()
      }
    },
    shutdown: () => worker.shutdown(),
  }
}

/**
 * Runs a worker for agents until the process is told to stop (SIGINT, SIGTERM). Running calls get
 * `shutdownGraceTime` to end; what does not end in time is tried by another worker.
 *
 * @throws MissingModelError when no model is configured
 * @throws DefinitionError when two agents or tools have one name
 */
export async function runWorker(options: RunWorkerOptions): Promise<void> {
  const worker = await createWorker(options)
  await worker.run()
}

async function connect(options: RunWorkerOptions) {
  const { connectionOptions, ...profile } = loadClientConnectConfig(
    options.profile === undefined ? {} : { profile: options.profile },
  )
  const address = options.address ?? connectionOptions.address
  const connection =
    options.connection ??
    (await NativeConnection.connect({
      ...connectionOptions,
      ...(address === undefined ? {} : { address }),
    }))
  return { connection, namespace: options.namespace ?? profile.namespace ?? 'default' }
}

/** The workflows come from the caller's bundle or path where there is one, else from this package. */
function workflowSource(raw: Partial<WorkerOptions> | undefined): Partial<WorkerOptions> {
  if (raw?.workflowBundle !== undefined || raw?.workflowsPath !== undefined) return {}
  const file = `../workflows/index${extname(import.meta.url)}`
  return { workflowsPath: fileURLToPath(new URL(file, import.meta.url)) }
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
