import { ApplicationFailure } from '@temporalio/workflow'
import type { FAILURE } from '../contract/failures.js'

/** Thrown by a validator or a handler of an update: the caller reads why, and a validator leaves no trace. */
export function refusal(
  type: (typeof FAILURE)[keyof typeof FAILURE],
  message: string,
): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true })
}
