import {
  ApplicationFailure,
  type LoadedDataConverter,
  type ProtoFailure,
  TimeoutFailure,
} from '@temporalio/common'
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow/codec-helpers.js'
import type { ToolFailure } from '../../agent/tool-failure.js'
import type { HistoryEvent } from './read-events.js'

/** How an activity failed, as the workflow was told it. */
export async function readFailedActivity(
  converter: LoadedDataConverter,
  failure: ProtoFailure | null | undefined,
): Promise<ToolFailure> {
  const error = await decodeOptionalFailureToOptionalError(converter, failure)
  if (error instanceof TimeoutFailure) return { kind: 'timeout', timeoutType: error.timeoutType }
  if (!(error instanceof ApplicationFailure)) return { kind: 'other' }
  const { type, message, nonRetryable } = error
  return {
    kind: 'application',
    type: type ?? undefined,
    message,
    nonRetryable: nonRetryable === true,
  }
}

/** The failure of an activity that ended without a result; a cancelled one has none. */
export function failureOf(event: HistoryEvent): ProtoFailure | null | undefined {
  return (
    event.activityTaskFailedEventAttributes?.failure ??
    event.activityTaskTimedOutEventAttributes?.failure
  )
}
