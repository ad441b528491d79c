/** The rules of {@link checkRequest}; `docs/testing.md` has a table of them. */
export type Rule =
  | 'body'
  | 'model'
  | 'messages'
  | 'role'
  | 'system-first'
  | 'content'
  | 'tool-calls'
  | 'call-id'
  | 'call-name'
  | 'call-arguments'
  | 'duplicate-call-id'
  | 'unanswered-call'
  | 'answer-without-call'
  | 'answered-twice'
  | 'tools'
  | 'tool-name'
  | 'duplicate-tool'
  | 'tool-parameters'
  | 'needs-tools'
  | 'well-formed'
  | 'finite'
  | 'max-tokens'

/** One rule that a request breaks. */
export interface Violation {
  readonly rule: Rule
  /** Where, for example `messages[2].tool_calls[0].id`; empty for the body itself. */
  readonly path: string
  readonly message: string
}

/** A violation as one line: path, message, rule. */
export function violationText({ rule, path, message }: Violation): string {
  return `${path === '' ? 'body' : path}: ${message} (${rule})`
}

/** What OpenAI's API accepts as the name of a function. */
export const FUNCTION_NAME = /^[a-zA-Z0-9_-]{1,64}$/
