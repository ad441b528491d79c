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
  /** How long a result answers the same call again: this turn, this run, or milliseconds. Left out: never. */
  readonly cache?: 'turn' | 'run' | number
  /** Tools whose cached results a call of this one makes worthless. */
  readonly invalidates?: readonly string[]
  /** Calls in one turn at most. */
  readonly maxCalls?: number
  /** True: runs as a local activity, so it writes one marker into the history. */
  readonly local?: boolean
  /** Set when its activity runs in another worker. */
  readonly remote?: RemoteTarget
  /** Whether a person must approve a call: each, or those that the tool's own rule says. Left out: none. */
  readonly approval?: 'always' | 'rule'
}

/** Where the activity of a remote tool runs. */
export interface RemoteTarget {
  readonly taskQueue: string
  /** Milliseconds that a call may wait for a worker to take it. */
  readonly scheduleToStartMs: number
  /** A worker that is silent for so long is dead, in milliseconds; not set: only the time-out tells. */
  readonly heartbeatTimeoutMs?: number
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

/** How a conversation is kept short. */
export interface MemoryPolicy {
  /** Older messages become a summary. Left out: they stay. */
  readonly summary?: SummaryPolicy
  /** Earlier turns that are kept: what the user said and the final answers, without tool calls. */
  readonly turns?: number
  /** Tokens that the messages may have, instructions and tool schemas aside: the oldest go first. */
  readonly maxTokens?: number
}

/** When and how the older messages of a conversation become a summary. */
export interface SummaryPolicy {
  /** The newest messages, which stay as they are. @default 6 */
  readonly keepMessages: number
  /** Tokens of older messages from which on they are summarised. @default 3000 */
  readonly aboveTokens: number
  /** Words that a summary should have at most. @default 100 */
  readonly maxWords: number
  /** The model that writes it. @default the agent's */
  readonly model?: string
}

/** Tokens as the worker counted them when the turn began. */
export interface CountedTokens {
  /** Of the instructions and the tool schemas. */
  readonly definition: number
  /** Of the message that the turn begins with. */
  readonly input: number
}

/** Limits of one turn. */
export interface Limits {
  /** Model calls with tools at most; one more without tools may follow for the forced answer. @default 8 */
  readonly maxSteps: number
  /** Tokens of all model calls together, as the provider counts them. @default no limit */
  readonly maxTokens?: number
  /** US dollars of all model calls together, by the worker's `prices`. @default no limit */
  readonly maxCostUsd?: number
  /** Milliseconds from the turn's first step on. @default no limit */
  readonly deadlineMs?: number
}

/** What a model costs. */
export interface Price {
  /** US dollars for a million prompt tokens. */
  readonly promptPerMillion: number
  /** US dollars for a million completion tokens. */
  readonly completionPerMillion: number
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
  /** Prices of the models, where the worker knows them. */
  readonly prices?: Readonly<Record<string, Price>>
  /** False: what is cut from an observation is lost. */
  readonly readMore?: boolean
  /** Left out: the whole conversation goes with every call. */
  readonly memory?: MemoryPolicy
  /** True: the built-in tool `ask_user` is offered. */
  readonly askUser?: boolean
  /** Milliseconds that a call waits for a person before it is denied. Left out: a day. */
  readonly approvalDeadlineMs?: number
  /** Left out by workers that did not count. */
  readonly tokens?: CountedTokens
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
  /** The version of the loop that began the turn; left out by those before it was recorded. */
  readonly loopVersion?: number
}

/** Every model that an agent may ask. */
export function modelNames({
  model,
  fallbackModels = [],
  memory,
}: Pick<Manifest, 'fallbackModels' | 'memory' | 'model'>): string[] {
  const summary = memory?.summary?.model
  return [model, ...fallbackModels, ...(summary === undefined ? [] : [summary])]
}
