import { ApplicationFailure } from '@temporalio/workflow'
import { FAILURE, type RunFailureDetail } from '../contract/failures.js'
import type { FailureReason } from '../contract/run.js'

/** The failure that ends a run for a reason of its own. */
export function runError(
  reason: FailureReason,
  message: string,
  { turn, step }: Pick<RunFailureDetail, 'turn' | 'step'>,
): ApplicationFailure {
  const detail: RunFailureDetail = { reason, turn, step }
  return ApplicationFailure.create({
    type: FAILURE.run,
    message: `${reason}: ${message}`,
    nonRetryable: true,
    details: [detail],
  })
}
