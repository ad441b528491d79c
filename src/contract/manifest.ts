import type { JsonObject } from './json.js'

/** MCP's tool annotations, with MCP's meaning. */
export interface ToolAnnotations {
  /** The tool changes nothing: it may be retried. @default false */
  readonly readOnlyHint?: boolean
  /** Calling it again with the same idempotency key changes nothing more: it may be retried. @default false */
  readonly idempotentHint?: boolean
  /** The tool may destroy or overwrite something. @default not said */
  readonly destructiveHint?: boolean
  /** The tool talks to a world outside of the system. @default not said */
  readonly openWorldHint?: boolean
}

/** A tool as the workflow knows it: data only. */
export interface ToolManifest {
  readonly name: string
  readonly description: string
  /** JSON schema (draft 7) of the arguments; its root is an object. */
  readonly parameters: JsonObject
  /** True: parameters are in OpenAI's strict form. */
  readonly strict: boolean
  /** Temporal's activity type. */
  readonly activityType: string
  readonly annotations: ToolAnnotations
  /** Start-to-close time-out of one attempt, in milliseconds. */
  readonly timeoutMs: number
  /** Attempts at most, the first included. */
  readonly maximumAttempts: number
  /** False: the call runs alone, with no other call of its step beside it. */
  readonly parallel: boolean
  /** True: repeat detection leaves this tool out. */
  readonly polling: boolean
  /** Argument fields that repeat detection leaves out. */
  readonly volatileFields: readonly string[]
  /** Argument fields that are masked in summaries. */
  readonly sensitive: readonly string[]
}

/** True when a second run of the same call does no harm: only then may an unclear end be retried. */
export function isRepeatable({ annotations }: Pick<ToolManifest, 'annotations'>): boolean {
  return annotations.readOnlyHint === true || annotations.idempotentHint === true
}

/** Sampling settings of the model; only those that are set are sent. */
export interface ModelSettings {
  readonly temperature?: number
  readonly topP?: number
  /** Tokens that one reply may have at most. */
  readonly maxTokens?: number
  readonly seed?: number
  readonly stop?: readonly string[]
}

/** One way to answer, for a mood or a stage of the conversation. */
export interface Strategy {
  /** What the history and the UI call it. */
  readonly name: string
  /** Says when it fits; the model chooses by it. */
  readonly when: string
  /** Follows the agent's instructions while the strategy is in use. */
  readonly instructions: string
}

/** Limits of one turn. */
export interface Limits {
  /** Model calls with tools at most; one more without tools may follow for the forced answer. @default 8 */
  readonly maxSteps: number
}

/**
 * The definition of an agent as data, made by `prepareTurn` and recorded at the start of each turn. The
 * workflow knows nothing else of the agent, so a new deployment never breaks the replay of an old run.
 */
export interface Manifest {
  readonly agent: string
  readonly instructions: string
  readonly model: string
  /** Asked in this order when the model before is exhausted or final. */
  readonly fallbackModels?: readonly string[]
  readonly modelSettings: ModelSettings
  readonly tools: readonly ToolManifest[]
  readonly limits: Limits
  readonly onLimit: 'answer' | 'fail'
  readonly onToolFailure: 'observe' | 'fail'
  /** One of them, or none, is chosen before the first step of a turn. */
  readonly strategies?: readonly Strategy[]
  /** False: one tool call a step, and the model is told so. */
  readonly parallel: boolean
  /** Start-to-close time-out of one attempt at a model call, in milliseconds. */
  readonly modelTimeoutMs: number
  /** Attempts at one model call at most, the first included. */
  readonly modelMaximumAttempts: number
  /** Milliseconds that all attempts at one model call may take together. */
  readonly modelTotalMs?: number
  /** True: a reply that is nothing but the JSON of a call is taken for one. */
  readonly parseTextToolCalls?: boolean
  /** A worker silent for so long is dead, in milliseconds. */
  readonly heartbeatTimeoutMs: number
  /** The Perdure search attributes that the namespace has registered with the right type. */
  readonly searchAttributes: readonly string[]
}
