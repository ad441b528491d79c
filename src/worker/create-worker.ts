import type { DataConverter, Duration } from '@temporalio/common'
import {
  NativeConnection,
  Worker,
  type WorkerInterceptors,
  type WorkerOptions,
} from '@temporalio/worker'
import type { ArtifactStore } from '../activities/artifact-store.js'
import { beatMs } from '../activities/heartbeat.js'
import type { Prices } from '../activities/prices.js'
import type { TokenizerName } from '../activities/tokenizer.js'
import { NamespaceError } from '../client/errors/namespace-error.js'
import { ServerUnreachableError } from '../client/errors/server-unreachable-error.js'
import { DEFAULT_ADDRESS, loadProfile, type ProfileOptions } from '../client/profile.js'
import { bundleConfig, modelConfig, taskQueueConfig } from '../config.js'
import { DEFAULT_TASK_QUEUE } from '../contract/names.js'
import type { Agent } from '../definition/define-agent.js'
import { DefinitionError } from '../definition/definition-error.js'
import { milliseconds } from '../definition/duration.js'
import type { Model } from '../models/model.js'
import { createActivities } from './activities.js'
import { type ModelRegistry, resolveModels } from './models.js'
import { registeredAttributes } from './registered-attributes.js'
import { rejectOwnQueue } from './reject-own-queue.js'
import { workflowSource } from './workflow-source.js'

/** Options of {@link runWorker}. */
export interface RunWorkerOptions extends ProfileOptions {
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
  /**
   * How tokens are counted: `o200k` as OpenAI's models do, about 20 MB of memory from the first run on;
   * `estimate` by the kinds of characters, for workers that must stay small. @default 'o200k'
   */
  readonly tokenizer?: TokenizerName
  /**
   * What models cost, by the names under which this worker has them: a table, or a function. Runs then tell
   * their cost, and `limits.maxCostUsd` holds. @default none
   */
  readonly prices?: Prices
  /** Keeps what was cut from observations above 64,000 bytes, for `read_more`. @default it is dropped */
  readonly artifacts?: ArtifactStore
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
  /**
   * The workflow bundle that ships with perdure fits one version of Temporal's SDK. 'build' bundles the
   * workflows at start instead, with the version that is there: a second and about 100 MB more. Code of
   * the caller's for the sandbox (interceptors' `workflowModules`, a converter's path, plugins) does so too.
   * @default PERDURE_BUNDLE, else 'prebuilt'
   */
  readonly bundle?: 'prebuilt' | 'build'
  /**
   * Any other option of Temporal's `Worker.create`; wins over what perdure sets. Activities of your own
   * stand beside perdure's.
   */
  readonly worker?: Omit<Partial<WorkerOptions>, 'connection' | 'namespace' | 'taskQueue'>
}

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
