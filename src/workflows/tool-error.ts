import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow'
import { FAILURE } from '../contract/failures.js'
import { isRepeatable, type ToolManifest } from '../contract/manifest.js'
import { errorText } from '../contract/observation.js'
import { messageText } from '../contract/observation-text.js'

/** An activity that the worker does not have (a deployment under way), as most SDKs and as Go's call it. */
const NOT_REGISTERED = 'NotFoundError'
const NOT_REGISTERED_GO = 'ActivityNotRegisteredError'

/** The observation for a tool that is out of attempts. */
export function toolErrorText(error: unknown, tool: ToolManifest): string {
  // A local activity's failure comes bare, another's wrapped.
  const cause = error instanceof ActivityFailure ? error.cause : error
  if (cause instanceof ApplicationFailure && cause.type === FAILURE.toolError) {
    const message = messageText(cause.message)
    return errorText({ error_type: 'tool_error', message, retryable: !cause.nonRetryable })
  }
  if (wasNotRun(cause, tool)) {
    const message = `${tool.name} is not available at the moment. It was not run.`
    return errorText({ error_type: 'not_run', message, retryable: true })
  }
  if (!isRepeatable(tool)) {
    const message = `${tool.name} was cut off or failed. It may or may not have taken effect: check before you call it again.`
    return errorText({ error_type: 'outcome_unknown', message, retryable: false })
  }
  if (cause instanceof TimeoutFailure) {
    const message = `${tool.name} did not answer in time.`
    return errorText({ error_type: 'timeout', message, retryable: true })
  }
  const message = `${tool.name} failed unexpectedly.`
  return errorText({ error_type: 'tool_error', message, retryable: false })
}

/** True when no worker took the call, or the one that did has no such activity. */
function wasNotRun(cause: unknown, { remote }: ToolManifest): boolean {
  if (cause instanceof TimeoutFailure) return cause.timeoutType === 'SCHEDULE_TO_START'
  if (!(cause instanceof ApplicationFailure)) return false
  if (remote === undefined) return cause.type === NOT_REGISTERED
  if (cause.type === NOT_REGISTERED_GO) return true
  // The type of a remote failure is the class of what was thrown there, and NotFoundError a common one.
  return cause.type === NOT_REGISTERED && /not registered on this worker/i.test(cause.message)
}
