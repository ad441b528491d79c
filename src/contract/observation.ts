/** What kind of error an observation reports to the model. */
type ErrorType =
  | 'unknown_tool'
  | 'invalid_arguments'
  | 'tool_error'
  | 'timeout'
  | 'outcome_unknown'
  | 'not_run'
  | 'call_limit'
  | 'denied'

/** An error as the model sees it. */
export interface ErrorObservation {
  readonly error_type: ErrorType
  readonly message: string
  /** Whether calling again with the same arguments can help. */
  readonly retryable: boolean
}

/** The text of an error observation. */
export function errorText(error: ErrorObservation): string {
  return JSON.stringify({ status: 'error', ...error })
}
