import { WorkflowFailedError } from '@temporalio/client'
import {
  ApplicationFailure,
  CancelledFailure,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/common'
import { FAILURE, type LimitFailureDetail, type RunFailureDetail } from '../contract/failures.js'
import { isObject } from '../contract/json.js'
import { AgentLimitError } from './errors/agent-limit-error.js'
import { AgentRunError, type RunErrorReason } from './errors/agent-run-error.js'
import { RunCancelledError } from './errors/run-cancelled-error.js'

/** The error of this package for how a workflow ended; any other error as it is. */
export function readFailure(id: string, error: unknown): unknown {
  if (!(error instanceof WorkflowFailedError)) return error
  const { cause } = error
  if (cause instanceof CancelledFailure) return new RunCancelledError(id, { cause })
  if (cause instanceof ApplicationFailure) return applicationError(id, cause)
  const reason: RunErrorReason =
    cause instanceof TerminatedFailure
      ? 'terminated'
      : cause instanceof TimeoutFailure
        ? 'timed_out'
        : 'failed'
  return new AgentRunError(id, { reason }, { message: cause?.message ?? error.message, cause })
}

function applicationError(id: string, cause: ApplicationFailure): Error {
  const { message, type } = cause
  const detail: unknown = cause.details?.[0]
  if (type === FAILURE.limit && isObject(detail)) {
    const { reason, partial } = detail as unknown as LimitFailureDetail
    return new AgentLimitError(id, reason, partial)
  }
  if (type === FAILURE.run && isObject(detail)) {
    return new AgentRunError(id, detail as unknown as RunFailureDetail, { message, cause })
  }
  return new AgentRunError(id, { reason: 'failed' }, { message, cause })
}
