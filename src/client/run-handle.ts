import {
  type Client,
  type WorkflowExecutionStatusName,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { TerminatedFailure } from '@temporalio/common'
import { QUERY } from '../contract/names.js'
import type { RunProgress, RunResult } from '../contract/run.js'
import { RunNotFoundError } from './errors/run-not-found-error.js'
import { newestOf, readChain } from './history/chain.js'
import type { Step } from './history/step.js'
import { StepReader } from './history/step-reader.js'
import { readTranscript, type Transcript, type TranscriptOptions } from './history/transcript.js'
import { type PendingActivity, pendingActivities } from './pending-activity.js'
import { readFailure } from './read-failure.js'
import { type PeopleHandle, peopleHandle } from './session/people.js'

/** State of a run, in lower-case words of Temporal. */
export type RunStatusName =
  | 'running'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'terminated'
  | 'timed_out'

/** What `status()` tells. */
export interface RunStatus {
  readonly status: RunStatusName
  readonly startedAt: Date
  /** Null while the run is open. */
  readonly closedAt: Date | null
  /** How far the run is, as the workflow tells it; null when no worker answered within a second. */
  readonly progress: RunProgress | null
  /** Activities that have not ended; none of a run that is closed. */
  readonly pending: readonly PendingActivity[]
}

/** One run of an agent. */
export interface RunHandle extends PeopleHandle {
  /** The workflow id. */
  readonly id: string
  /** The run in the Temporal UI; undefined where the UI's address is not known. */
  readonly url: string | undefined
  /** True when `start` found this run instead of making it. */
  readonly attached: boolean
  /**
   * Waits for the end.
   *
   * @throws AgentRunError, AgentLimitError, RunCancelledError when the run ends without a result
   */
  result(): Promise<RunResult>
  /** State, times and progress. */
  status(): Promise<RunStatus>
  /** All steps of the run so far, read from the event history: needs no worker. */
  steps(): Promise<Step[]>
  /** Each step whenever it changes, from the first to the end of the run. Ends early when `signal` aborts. */
  watch(options?: { readonly signal?: AbortSignal }): AsyncGenerator<Step, void>
  /** The whole run with its figures, read from the event history: needs no worker. */
  transcript(options?: TranscriptOptions): Promise<Transcript>
  /** Asks the run to end; calls under way are aborted. `result` throws RunCancelledError then. */
  cancel(): Promise<void>
}

/** What a handle is made of. */
export interface RunHandleOptions {
  readonly client: Client
  readonly id: string
  /** The execution that `start` made or found; the newest of the id when left out. */
  readonly runId?: string | undefined
  readonly url: string | undefined
  readonly attached: boolean
}

/** Milliseconds that a worker has to tell the progress. */
const PROGRESS_MS = 1_000

/** A handle for a run that exists. */
export function createRunHandle(options: RunHandleOptions): RunHandle {
  const { client, id, runId, url, attached } = options
  const guard = <T>(call: Promise<T>): Promise<T> =>
    call.catch((error: unknown) => {
      throw notFound(error, options)
    })
  return {
    id,
    url,
    attached,
    result: () =>
      guard(readResult(options, runId)).catch((error: unknown) => {
        throw readFailure(id, error)
      }),
    status: () => guard(readStatus(options)),
    steps: () => guard(readSteps(options)),
    watch: (watch) => watchSteps(options, watch?.signal),
    ...peopleHandle(client, id),
    transcript: (reading = {}) => guard(transcript(options, reading)),
    cancel: async () => {
      const newest = await guard(newestRunId(options))
      await guard(client.workflow.getHandle(id, newest).cancel())
    },
  }
}

/** The result of a chain. A run that was reset while it was open was terminated, and goes on elsewhere. */
async function readResult(
  options: RunHandleOptions,
  runId: string | undefined,
): Promise<RunResult> {
  const { client, id } = options
  const handle = client.workflow.getHandle(id, runId, { followRuns: true })
  try {
    return (await handle.result()) as RunResult
  } catch (error) {
    const isEnded = error instanceof WorkflowFailedError && error.cause instanceof TerminatedFailure
    const next = isEnded ? await resetRunId(options, runId) : undefined
    if (next === undefined) throw error
    return await readResult(options, next)
  }
}

async function resetRunId(
  options: RunHandleOptions,
  runId: string | undefined,
): Promise<string | undefined> {
  const { client, id } = options
  const newest = runId === undefined ? undefined : await newestOf(client, { workflowId: id, runId })
  const { raw } = await client.workflow.getHandle(id, newest).describe()
  return raw.workflowExtendedInfo?.resetRunId || undefined
}

/** The newest execution of this handle's run; later runs of the same id are none of its business. */
async function newestRunId({ client, id, runId }: RunHandleOptions): Promise<string> {
  if (runId !== undefined) return await newestOf(client, { workflowId: id, runId })
  return await latestRunId(client, id)
}

async function latestRunId(client: Client, id: string): Promise<string> {
  return (await client.workflow.getHandle(id).describe()).runId
}

async function readStatus(options: RunHandleOptions): Promise<RunStatus> {
  const { client, id } = options
  const handle = client.workflow.getHandle(id, await newestRunId(options))
  const description = await handle.describe()
  const { status, startTime, closeTime } = description
  const progress = await client
    .withDeadline(Date.now() + PROGRESS_MS, () => handle.query<RunProgress, []>(QUERY.status))
    .catch(() => null)
  return {
    status: statusName(status.name),
    startedAt: startTime,
    closedAt: closeTime ?? null,
    progress,
    pending: pendingActivities(description),
  }
}

/** Temporal's status of the newest execution of a chain, as a status of the run. */
export function statusName(name: WorkflowExecutionStatusName): RunStatusName {
  switch (name) {
    case 'COMPLETED':
      return 'completed'
    case 'FAILED':
      return 'failed'
    case 'CANCELLED':
      return 'cancelled'
    case 'TERMINATED':
      return 'terminated'
    case 'TIMED_OUT':
      return 'timed_out'
    default:
      return 'running'
  }
}

async function readSteps(options: RunHandleOptions): Promise<Step[]> {
  const reader = new StepReader(options.client.options.loadedDataConverter)
  for await (const event of await chain(options, false)) await reader.take(event)
  return reader.steps
}

async function* watchSteps(
  options: RunHandleOptions,
  signal?: AbortSignal,
): AsyncGenerator<Step, void> {
  const reader = new StepReader(options.client.options.loadedDataConverter)
  try {
    for await (const event of await chain(options, true, signal)) {
      for (const step of await reader.take(event)) yield step
    }
  } catch (error) {
    if (!signal?.aborted) throw notFound(error, options)
  }
}

async function transcript(
  options: RunHandleOptions,
  reading: TranscriptOptions,
): Promise<Transcript> {
  const events = await chain(options, reading.follow === true, reading.signal)
  return await readTranscript(events, options.client.options.loadedDataConverter, reading)
}

async function chain(
  { client, id, runId }: RunHandleOptions,
  follow: boolean,
  signal?: AbortSignal,
) {
  const member = runId ?? (await latestRunId(client, id))
  return readChain(client, { workflowId: id, runId: member, follow, signal })
}

/** The error of this package for an id that has no run; any other error as it is. */
export function notFound(
  error: unknown,
  { client, id }: Pick<RunHandleOptions, 'client' | 'id'>,
): unknown {
  if (!(error instanceof WorkflowNotFoundError)) return error
  return new RunNotFoundError(id, client.options.namespace, { cause: error })
}
