import type { Client } from '@temporalio/client'
import { taskQueueConfig, uiUrlConfig } from '../config.js'
import { DEFAULT_TASK_QUEUE } from '../contract/names.js'
import { type ConnectOptions, connect } from './connect.js'
import { diffRuns, type RunDiff } from './diff/diff-runs.js'
import type { ForkOptions } from './fork/fork-options.js'
import { forkRun } from './fork/fork-run.js'
import { type ListedRun, type ListOptions, listRuns } from './list-runs.js'
import { planRetry, type RetryPlan } from './retry/retry-plan.js'
import { retryRun } from './retry/retry-run.js'
import { createRunHandle, notFound, type RunHandle } from './run-handle.js'
import { openSession } from './session/open-session.js'
import { peopleHandle } from './session/people.js'
import { createSessionHandle, type SessionHandle } from './session/session-handle.js'
import { checkSession, type SessionOptions } from './session/session-options.js'
import { type AgentReference, type StartOptions, startRun } from './start-run.js'
import { guessUiUrl, runUrl } from './ui-url.js'

/** Options of `AgentClient.connect`. */
export interface AgentClientOptions extends ConnectOptions {
  /** The queue of the workers. @default PERDURE_TASK_QUEUE, else 'perdure' */
  readonly taskQueue?: string
  /** Base address of the Temporal UI, for links. @default PERDURE_UI_URL, else guessed from the server's address */
  readonly uiUrl?: string
}

/** Starts and finds runs. Safe to share: make one for each process. */
export class AgentClient {
  readonly taskQueue: string
  /** Temporal's client. */
  readonly client: Client
  readonly #uiUrl: string | undefined
  readonly #close: () => Promise<void>

  private constructor(
    client: Client,
    options: { taskQueue: string; uiUrl: string | undefined; close: () => Promise<void> },
  ) {
    this.client = client
    this.taskQueue = options.taskQueue
    this.#uiUrl = options.uiUrl
    this.#close = options.close
  }

  /** Connects to Temporal, by its environment variables and TOML profiles unless told otherwise. */
  static async connect(options: AgentClientOptions = {}): Promise<AgentClient> {
    const { client, address, close } = await connect(options)
    return new AgentClient(client, {
      taskQueue: options.taskQueue ?? taskQueueConfig() ?? DEFAULT_TASK_QUEUE,
      uiUrl: options.uiUrl ?? uiUrlConfig() ?? guessUiUrl(address),
      close,
    })
  }

  /**
   * Starts a run of an agent. Idempotent by `id`: while or after a run of that id, the same start
   * attaches to it.
   *
   * @param agent its name, or its definition: then the UI shows model and limits at once
   * @throws InvalidInputError, InputMismatchError, RunOpenError
   */
  async start<C extends object = object>(
    agent: string | AgentReference<C>,
    options: StartOptions<C>,
  ): Promise<RunHandle> {
    return this.#handle(await startRun(this.client, this.taskQueue, agent, options))
  }

  /** The run of an id, without a look whether it exists: its functions throw RunNotFoundError then. */
  get(id: string): RunHandle {
    return this.#handle({ id, attached: true })
  }

  /**
   * Opens a session: a conversation of any number of turns. The same id is the same conversation: it is
   * started, attached to, or opened again after it was closed.
   *
   * @param agent its name, or its definition
   * @throws InvalidInputError, InputMismatchError, SessionError
   */
  async session<C extends object = object>(
    agent: string | AgentReference<C>,
    options: SessionOptions<C> = {},
  ): Promise<SessionHandle> {
    const session = checkSession(agent, options)
    const { id } = session
    const open = () => openSession(this.client, this.taskQueue, session)
    const { attached } = await open()
    return createSessionHandle({
      client: this.client,
      run: this.#handle({ id, attached }),
      people: peopleHandle(this.client, id),
      reopen: async () => {
        await open()
      },
    })
  }

  /** Runs of this namespace, the newest first. */
  list(options: ListOptions = {}): AsyncGenerator<ListedRun, void> {
    return listRuns(this.client, options)
  }

  /**
   * What a retry would do: where it goes on, and which calls are made again. Changes nothing.
   *
   * @throws RetryError when a retry could not mend how the run ended, or it has not ended
   */
  async planRetry(id: string): Promise<RetryPlan> {
    return await planRetry(this.client, id).catch((error: unknown) => {
      throw notFound(error, { client: this.client, id })
    })
  }

  /**
   * Goes on from the failure: the run is reset to the workflow task that scheduled the failed call, so what
   * was finished before is neither paid nor done again. Calls that are made again have the idempotency keys
   * that they had.
   *
   * @param plan of `planRetry`, where somebody has looked at it first
   * @throws RetryError when a retry could not mend how the run ended, or it has not ended
   */
  async retry(id: string, plan?: RetryPlan): Promise<RunHandle> {
    const runId = await retryRun(this.client, plan ?? (await this.planRetry(id)))
    return this.#handle({ id, runId, attached: false })
  }

  /**
   * A new run that begins with the state that a run had before one of its steps, with something changed. The
   * steps before are neither paid nor done again; the counts of steps, tokens and money go on from theirs.
   *
   * @throws ForkError, InvalidInputError before anything is started; InputMismatchError when the id that is
   *   asked for has another run
   */
  async fork(id: string, options: ForkOptions = {}): Promise<RunHandle> {
    const started = await forkRun(this.client, id, options).catch((error: unknown) => {
      throw notFound(error, { client: this.client, id })
    })
    return this.#handle(started)
  }

  /** Two runs side by side, step by step, read from their histories: needs no worker. */
  async diff(a: string, b: string): Promise<RunDiff> {
    return await diffRuns(this.client, a, b)
  }

  /** Closes the connection, unless the client was the caller's. */
  async close(): Promise<void> {
    await this.#close()
  }

  #handle(run: { id: string; runId?: string; attached: boolean }): RunHandle {
    const { namespace } = this.client.options
    const url = runUrl(this.#uiUrl, { namespace, ...run })
    return createRunHandle({ client: this.client, url, ...run })
  }
}
