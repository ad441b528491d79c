import type { ForkOrigin } from './fork.js'
import type { PendingRequest } from './requests.js'

/** The workflow type of a run. */
export const WORKFLOW_TYPE = 'agent'

/** The task queue that client and worker use unless told otherwise. */
export const DEFAULT_TASK_QUEUE = 'perdure'

/**
 * Bytes of a run's context at most: it goes with each tool call, and 128 calls of one step must stay below
 * the 4 MB of a workflow task.
 */
export const MAX_CONTEXT_BYTES = 16_000

/** The workflow type of a session. */
export const SESSION_TYPE = 'session'

/** Queries that the workflows answer; the last two only that of a session. */
export const QUERY = {
  prompt: 'prompt',
  status: 'status',
  session: 'session',
  turn: 'turn',
} as const

/** Updates that the workflows take; of a run only the first two. */
export const UPDATE = {
  approve: 'approve',
  answer: 'answer',
  ask: 'ask',
  awaitTurn: 'awaitTurn',
  steer: 'steer',
  interrupt: 'interrupt',
  cancelTurn: 'cancelTurn',
  close: 'close',
} as const

/** Activity types that no tool may take. `default` is the SDK's catch-all. */
export const RESERVED_ACTIVITY_TYPES = [
  'default',
  'prepareTurn',
  'callModel',
  'chooseStrategy',
  'summarize',
  'checkCall',
  'read_more',
  'ask_user',
] as const

/** The memo field that holds {@link RunMemo}. */
export const MEMO_KEY = 'perdure'

/** The memo field that holds {@link WaitingMemo}; it is there only while a run waits. */
export const WAITING_KEY = 'perdureWaiting'

/** What a run waits for a person for, readable without a worker. */
export type WaitingMemo = readonly PendingRequest[]

/** What `start` writes beside the run, readable without a worker. */
export interface RunMemo {
  readonly agent: string
  /** Digest of agent, input and context: tells whether a second start asks for the same. */
  readonly inputDigest: string
  /** Tells the start that made the run from those that attached to it. */
  readonly startId: string
  /** Where a fork comes from. */
  readonly forkedFrom?: ForkOrigin
  /** What a fork has otherwise, in words. */
  readonly changes?: readonly string[]
}

/** Search attributes that perdure fills where they are registered, with Temporal's type names. */
export const SEARCH_ATTRIBUTES = {
  PerdureAgent: 'Keyword',
  PerdureModel: 'Keyword',
  PerdureStopReason: 'Keyword',
  PerdureWaitingFor: 'Keyword',
  PerdureForkedFrom: 'Keyword',
  PerdureSteps: 'Int',
  PerdureTokens: 'Int',
  PerdureCostUsd: 'Double',
} as const
