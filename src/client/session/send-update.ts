import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Client,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { FAILURE } from '../../contract/failures.js'
import { GRPC, grpcCode } from '../errors/grpc.js'
import { SessionError, type SessionErrorReason } from '../errors/session-error.js'

const REASONS: Readonly<Record<string, SessionErrorReason>> = {
  [FAILURE.refused]: 'refused',
  [FAILURE.sessionClosed]: 'closed',
  [FAILURE.queueFull]: 'queue_full',
  [FAILURE.noTurn]: 'no_turn',
  [FAILURE.notWaiting]: 'not_waiting',
  [FAILURE.invalidArguments]: 'invalid_arguments',
}

/** Answers of a server that does not take an update now, or lost it when an execution ended. */
const PASSING: readonly number[] = [GRPC.unavailable, GRPC.aborted, GRPC.failedPrecondition]
/** How Temporal calls an update whose execution ended under it. */
const LOST = 'AcceptedUpdateCompletedWorkflow'
/** Milliseconds between two tries, and for how long they go on: longer for what may be asked again. */
const PAUSE_MS = 200
const PATIENCE_MS = 30_000
const LONG_PATIENCE_MS = 300_000

/** One update of a workflow. */
export interface Update {
  readonly name: string
  readonly args: readonly [unknown]
  /** The same id is the same update within one execution. @default a random one */
  readonly updateId?: string
  /** True: it may be sent to the next execution where nobody knows whether this one did it. */
  readonly isIdempotent: boolean
}

/**
 * Sends an update and waits for its answer. Where an execution continues as new at that moment it is sent to
 * the next one.
 *
 * @throws SessionError when it is refused; WorkflowNotFoundError when there is no open execution; any other
 *   failure of the handler as it is
 */
export async function sendUpdate<T>(client: Client, id: string, update: Update): Promise<T> {
  const until = Date.now() + (update.isIdempotent ? LONG_PATIENCE_MS : PATIENCE_MS)
  // Sent again with the same id it is the same update, if the first one arrived.
  const { updateId = randomUUID() } = update
  for (;;) {
    try {
      return await client.workflow.getHandle(id).executeUpdate<T, [unknown]>(update.name, {
        args: [...update.args] as [unknown],
        updateId,
      })
    } catch (error) {
      // Nobody has taken it yet: it waits for a worker, as the result of a run does.
      const isLate = Date.now() > until && !isTimeout(error)
      if (!isPassing(error, update) || isLate) throw readable(id, error)
      await sleep(PAUSE_MS)
    }
  }
}

function isPassing(error: unknown, { isIdempotent }: Update): boolean {
  if (error instanceof WorkflowNotFoundError) return false
  if (error instanceof WorkflowUpdateFailedError) return isIdempotent && typeOf(error) === LOST
  if (isTimeout(error)) return true
  return PASSING.includes(grpcCode(error) ?? -1)
}

function isTimeout(error: unknown): boolean {
  return error instanceof WorkflowUpdateRPCTimeoutOrCancelledError
}

function typeOf({ cause }: WorkflowUpdateFailedError): string {
  return cause instanceof ApplicationFailure ? (cause.type ?? '') : ''
}

function readable(id: string, error: unknown): unknown {
  if (!(error instanceof WorkflowUpdateFailedError)) return error
  const reason = REASONS[typeOf(error)]
  const message = error.cause?.message ?? error.message
  return reason === undefined ? error : new SessionError(id, reason, message, { cause: error })
}

/** True for the answer that as many callers wait as may. */
export function isTooMany(error: unknown): boolean {
  if (error instanceof WorkflowUpdateFailedError) return typeOf(error) === FAILURE.tooManyWaiters
  return grpcCode(error) === GRPC.resourceExhausted
}
