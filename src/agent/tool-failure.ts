import { FAILURE } from '../contract/failures.js'
import { isRepeatable, type ToolManifest } from '../contract/manifest.js'
import { errorText } from '../contract/observation.js'
import { messageText } from '../contract/observation-text.js'

/** How the activity of a tool failed for good, without Temporal's classes. */
export type ToolFailure =
  | { readonly kind: 'timeout'; readonly timeoutType: string | undefined }
  | {
      readonly kind: 'application'
      readonly type: string | undefined
      readonly message: string
      readonly nonRetryable: boolean
    }
  | { readonly kind: 'other' }

/** An activity that the worker does not have (a deployment under way), as most SDKs and as Go's call it. */
const NOT_REGISTERED = 'NotFoundError'
const NOT_REGISTERED_GO = 'ActivityNotRegisteredError'

/** The observation for a tool that is out of attempts. */
export function toolErrorText(failure: ToolFailure, tool: ToolManifest): string {
  if (failure.kind === 'application' && failure.type === FAILURE.toolError) {
    const message = messageText(failure.message)
    return errorText({ error_type: 'tool_error', message, retryable: !failure.nonRetryable })
  }
  if (wasNotRun(failure, tool)) {
    const message = `${tool.name} is not available at the moment. It was not run.`
    return errorText({ error_type: 'not_run', message, retryable: true })
  }
  if (!isRepeatable(tool)) {
    const message = `${tool.name} was cut off or failed. It may or may not have taken effect: check before you call it again.`
    return errorText({ error_type: 'outcome_unknown', message, retryable: false })
  }
  if (failure.kind === 'timeout') {
    const message = `${tool.name} did not answer in time.`
    return errorText({ error_type: 'timeout', message, retryable: true })
  }
  const message = `${tool.name} failed unexpectedly.`
  return errorText({ error_type: 'tool_error', message, retryable: false })
}

/** True when no worker took the call, or the one that did has no such activity. */
function wasNotRun(failure: ToolFailure, { remote }: ToolManifest): boolean {
  if (failure.kind === 'timeout') return failure.timeoutType === 'SCHEDULE_TO_START'
  if (failure.kind !== 'application') return false
  if (remote === undefined) return failure.type === NOT_REGISTERED
  if (failure.type === NOT_REGISTERED_GO) return true
  // The type of a remote failure is the class of what was thrown there, and NotFoundError a common one.
  return failure.type === NOT_REGISTERED && /not registered on this worker/i.test(failure.message)
}
