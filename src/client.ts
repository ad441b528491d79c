export { AgentClient, type AgentClientOptions } from './client/agent-client.js'
export type { ConnectOptions } from './client/connect.js'
export type { RunDiff, StepPair } from './client/diff/diff-runs.js'
export type { OutlinedStep, RunOutline } from './client/diff/run-outline.js'
export { AgentLimitError } from './client/errors/agent-limit-error.js'
export { AgentRunError, type RunErrorReason } from './client/errors/agent-run-error.js'
export { ForkError } from './client/errors/fork-error.js'
export { InputMismatchError } from './client/errors/input-mismatch-error.js'
export { InvalidInputError } from './client/errors/invalid-input-error.js'
export { MissingAttributeError } from './client/errors/missing-attribute-error.js'
export { NamespaceError } from './client/errors/namespace-error.js'
export { RetryError, type RetryErrorReason } from './client/errors/retry-error.js'
export { RunCancelledError } from './client/errors/run-cancelled-error.js'
export { RunNotFoundError } from './client/errors/run-not-found-error.js'
export { RunOpenError } from './client/errors/run-open-error.js'
export { ServerUnreachableError } from './client/errors/server-unreachable-error.js'
export { SessionError, type SessionErrorReason } from './client/errors/session-error.js'
export { TurnCancelledError } from './client/errors/turn-cancelled-error.js'
export type { ForkOptions } from './client/fork/fork-options.js'
export type { Aside } from './client/history/aside.js'
export type { Step, StepCall } from './client/history/step.js'
export type { TranscriptChange } from './client/history/step-reader.js'
export type { Opening, Transcript, TranscriptOptions } from './client/history/transcript.js'
export type { ListedRun, ListOptions } from './client/list-runs.js'
export type { PendingActivity } from './client/pending-activity.js'
export type { RepeatedCall, RetryPlan } from './client/retry/retry-plan.js'
export type { RunHandle, RunStatus, RunStatusName } from './client/run-handle.js'
export type {
  AnswerOptions,
  ApproveOptions,
  DenyOptions,
  PeopleHandle,
} from './client/session/people.js'
export type { AskOptions, SessionHandle, TurnResult } from './client/session/session-handle.js'
export type { SessionOptions } from './client/session/session-options.js'
export type { AgentReference, StartOptions } from './client/start-run.js'
export {
  FAILURE as FAILURE_TYPES,
  type LimitFailureDetail,
  type RunFailureDetail,
} from './contract/failures.js'
export type { JsonObject, JsonValue } from './contract/json.js'
export { DEFAULT_TASK_QUEUE, SESSION_TYPE, WORKFLOW_TYPE } from './contract/names.js'
export type { TokenCount, Usage } from './contract/reply.js'
export type { Decision, PendingRequest } from './contract/requests.js'
export type {
  FailureReason,
  LimitReason,
  RunProgress,
  RunResult,
  StopReason,
} from './contract/run.js'
export type { SessionProgress } from './contract/session.js'
