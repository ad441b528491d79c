import type { LimitFailureDetail, RunFailureDetail } from './failures.js'
import type { JsonObject } from './json.js'
import type { PendingRequest } from './requests.js'
import type { RunResult, RunState } from './run.js'

/** Options of a session, as data. */
export interface SessionSettings {
  /** Milliseconds without a turn after which it closes. Left out: never. */
  readonly idleMs?: number
  /** Turns that may wait while one runs. Left out: 20. */
  readonly maxQueued?: number
}

/** One question that has not been answered. */
export interface Ask {
  readonly turn: number
  readonly requestId: string
  readonly text: string
}

/** How a turn of a session ended without a result. */
export interface TurnFailure {
  /** The type of the failure, one of `FAILURE`. */
  readonly type: string
  readonly message: string
  readonly detail: LimitFailureDetail | RunFailureDetail | null
}

/** How a turn of a session ended. */
export type TurnOutcome =
  | { readonly kind: 'result'; readonly result: RunResult }
  | { readonly kind: 'failed'; readonly failure: TurnFailure }
  | { readonly kind: 'cancelled' }

/** Everything that a session knows. Plain JSON: it is carried over continue-as-new, and from a closed session to one that is opened again. */
export interface SessionState {
  readonly agent: string
  readonly context: JsonObject | null
  /** The run id of the first execution: part of the idempotency keys. */
  readonly origin: string
  readonly settings: SessionSettings
  /** The number of the newest turn that was asked for. */
  asked: number
  /** The turn under way. */
  active: Ask | null
  /** Turns that wait for it. */
  queue: Ask[]
  /** The conversation: the state of the turn under way, or of the last one. */
  run: RunState | null
  /** The newest request ids with their turns, oldest first. */
  requests: [string, number][]
  /** How the newest turns ended, oldest first. */
  outcomes: [number, TurnOutcome][]
  closing: boolean
}

/** The argument of the workflow `session`. */
export type SessionInput =
  | {
      readonly agent: string
      readonly context?: JsonObject | null
      readonly settings?: SessionSettings
    }
  /** Of an execution before this one: it continues as new, or was closed and is opened again. */
  | {
      readonly session: SessionState
      readonly reopened?: true
    }

/** The result of the workflow `session`. */
export interface SessionEnd {
  readonly reason: 'closed' | 'idle'
  readonly turns: number
  /** What a session of the same id begins with when it is opened again. */
  readonly session: SessionState
}

/** The argument of the update `ask`. */
export interface AskInput {
  readonly text: string
  /** The same id asks once: a further `ask` with it is answered with the same turn. */
  readonly requestId: string
}

/** The answer of the update `ask`. */
export interface Asked {
  readonly turn: number
}

/** The argument of the update `awaitTurn` and the query `turn`. */
export interface TurnRequest {
  readonly turn: number
}

/** What `awaitTurn` and the query `turn` answer. */
export type TurnReport =
  | { readonly kind: 'ended'; readonly outcome: TurnOutcome }
  /** It ended too long ago: only the history has it. */
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'pending'
      /** True: other turns come first. */
      readonly queued: boolean
      readonly waitingFor: readonly PendingRequest[]
    }

/** What the query `session` answers. */
export interface SessionProgress {
  readonly agent: string
  /** Turns that were asked for. */
  readonly turns: number
  /** The turn under way; null while the session waits for a question. */
  readonly running: number | null
  /** Turns that wait for it. */
  readonly queued: number
  readonly waitingFor: readonly PendingRequest[]
  readonly closing: boolean
}

/** The argument of the update `steer`. */
export interface SteerInput {
  readonly text: string
}

/** The argument of `interrupt`, `cancelTurn` and `close`. */
export interface ByInput {
  /** Who asks for it; recorded. */
  readonly by?: string | null
}

/** The argument of the update `approve`. */
export interface ApproveInput extends ByInput {
  /** The id of the call that waits. */
  readonly id: string
  readonly approved: boolean
  /** Read by the model when the call is denied. */
  readonly reason?: string
  /** What the call runs with instead of the model's own arguments; checked again. */
  readonly args?: JsonObject
  /** True: this tool needs no approval any more in this turn. */
  readonly all?: boolean
}

/** The argument of the update `answer`. */
export interface AnswerInput extends ByInput {
  /** The id of the question; left out: the only one that waits. */
  readonly id?: string
  readonly text: string
}
