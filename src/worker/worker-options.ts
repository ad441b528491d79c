import type { DataConverter, Duration } from '@temporalio/common'
import type { NativeConnection, WorkerInterceptors, WorkerOptions } from '@temporalio/worker'
import type { ArtifactStore } from '../activities/artifact-store.js'
import type { Prices } from '../activities/prices.js'
import type { TokenizerName } from '../activities/tokenizer.js'
import type { ProfileOptions } from '../client/profile.js'
import type { Agent } from '../definition/define-agent.js'
import type { Model } from '../models/model.js'
import type { ModelRegistry } from './models.js'

/** Options of `runWorker` and `createWorker`. */
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
  /**
   * Keeps what was cut from observations above 64,000 bytes, for `read_more`: `s3Artifacts`, `fileArtifacts`
   * or a store of your own. @default it is dropped
   */
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
