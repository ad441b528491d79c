import type { FailureReason, LimitReason, RunResult } from './run.js'

/** Types of the `ApplicationFailure`s that cross the wire. */
export const FAILURE = {
  /** Workflow: the run ended without a result. Details: {@link RunFailureDetail}. */
  run: 'AgentRunError',
  /** Workflow: a limit was reached and the agent says `onLimit: 'fail'`. Details: {@link LimitFailureDetail}. */
  limit: 'AgentLimitError',
  /** prepareTurn: the worker has no such agent. */
  unknownAgent: 'UnknownAgent',
  /** prepareTurn: the run's context or input does not fit the agent. */
  invalidContext: 'InvalidContext',
  /** callModel: the prompt could not be read from the workflow. Retried. */
  promptUnavailable: 'PromptUnavailable',
  /** callModel: the provider may well answer the next attempt. Retried. */
  modelUnavailable: 'ModelUnavailable',
  /** callModel: the provider refuses this request for good. Not retried. */
  modelRejected: 'ModelRejected',
  /** Update: what was sent cannot be taken, and no retry helps; the message says why. */
  refused: 'Refused',
  /** Update `ask`: the session is closed. */
  sessionClosed: 'SessionClosed',
  /** Update `ask`: as many turns wait as may. */
  queueFull: 'QueueFull',
  /** Update: no turn is running. */
  noTurn: 'NoTurn',
  /** Update `awaitTurn`: as many callers wait as may; ask by the query `turn` instead. */
  tooManyWaiters: 'TooManyWaiters',
  /** Update: nothing with this id waits for a person. */
  notWaiting: 'NotWaiting',
  /** Update `approve`: the changed arguments do not fit the tool. */
  invalidArguments: 'InvalidArguments',
  /** Tool: a `ToolError`; its message may be shown to the model. */
  toolError: 'ToolError',
  /** Tool: anything else that it threw; the details are in the worker's log only. */
  toolFailed: 'ToolFailed',
} as const

/** Details of a failure of type {@link FAILURE.run}. */
export interface RunFailureDetail {
  readonly reason: FailureReason
  readonly turn: number
  readonly step: number
  /** The call's place in its step, for a tool. */
  readonly call?: number
  /** Temporal's id of the activity that failed. */
  readonly activityId?: string
}

/** Details of a failure of type {@link FAILURE.limit}: the partial work. */
export interface LimitFailureDetail {
  readonly reason: LimitReason
  readonly partial: RunResult
}
