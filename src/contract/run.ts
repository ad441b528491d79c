import type { Fork, ForkInput } from './fork.js'
import type { JsonObject } from './json.js'
import type { Manifest } from './manifest.js'
import type { Message } from './messages.js'
import type { TokenCount, Usage } from './reply.js'
import type { Decision, OpenStep, PendingRequest } from './requests.js'

/** A rule that ends a turn before the model does. */
export type LimitReason =
  | 'interrupted'
  | 'max_steps'
  | 'repeats'
  | 'tool_errors'
  | 'token_budget'
  | 'cost_budget'
  | 'deadline'

/** Why a run ended with a result. */
export type StopReason =
  | 'answered'
  | LimitReason
  | 'refusal'
  | 'content_filter'
  | 'empty_reply'
  | 'context_length'

/** Why a run ended without a result. */
export type FailureReason = 'model_error' | 'tool_failure' | 'definition_error' | 'state_too_large'

/** The result of a run. */
export interface RunResult {
  /** The model's last word; with a stop reason other than `answered`, what there is. May be empty then. */
  readonly answer: string
  readonly stopReason: StopReason
  /** Model calls that were offered tools; the forced answer is not one of them. */
  readonly steps: number
  readonly usage: Usage
  /** Set when the answer was cut at the model's token limit (`maxTokens`). */
  readonly truncated?: true
  /** Replies by model: more than one name where a fallback took over. */
  readonly models: Readonly<Record<string, number>>
  /** What each model used. */
  readonly usageByModel: Readonly<Record<string, Usage>>
  /** US dollars by the worker's `prices`; left out when a model that answered has none. */
  readonly costUsd?: number
  /** The strategy of the turn; left out when none was chosen. */
  readonly strategy?: string
}

/** The argument of the workflow `agent` when a client starts it. */
export interface StartInput {
  readonly agent: string
  readonly input: string
  readonly context?: JsonObject | null
}

/** The argument of the workflow `agent` when it continues as new: its whole state. */
interface ContinueInput {
  readonly state: RunState
}

/** The argument of the workflow `agent`. */
export type RunInput = StartInput | ForkInput | ContinueInput

/** One line of the table that the Temporal UI shows. */
export interface StepRow {
  /** 0: before the first step. */
  readonly step: number
  readonly what: string
  readonly tokens: number
  /** Milliseconds from the model call to the last observation. */
  readonly ms: number
}

/** Everything that a run knows. Plain JSON: it is carried over continue-as-new. */
export interface RunState {
  readonly manifest: Manifest
  readonly context: JsonObject | null
  readonly origin: string
  readonly turn: number
  /** The step under way, or the last one. */
  step: number
  /** Model calls that were offered tools. */
  steps: number
  messages: Message[]
  /** Rolling digest over the manifest and the messages. */
  digest: string
  /** Tokens of each message; left out by older versions. */
  sizes?: number[]
  /** What the provider counted for a prompt, divided by what was counted here; 1 until it told. */
  tokenFactor?: number
  /** Fingerprints of the newest calls, oldest first: the window of repeat detection. */
  recentCalls: string[]
  /** Fingerprints of the newest whole steps, oldest first. */
  recentSteps: string[]
  /** True once the same calls with the same observations stood three times in a row. */
  repeating: boolean
  /** Steps in a row whose every observation is an error. */
  errorStreak: number
  /** True once an empty reply was answered with a nudge in this turn. */
  nudged: boolean
  usage: Usage
  /** Which fallback model answers, from 1; 0 or left out: the first model. */
  fallback?: number
  /** Replies by model. */
  replies?: Readonly<Record<string, number>>
  /** What each model used. */
  usageByModel?: Readonly<Record<string, Usage>>
  /** Results that answer the same call again, by the fingerprint of the call; oldest first. */
  cache?: Readonly<Record<string, CachedResult>>
  /** Calls of each tool in this turn. */
  callCounts?: Readonly<Record<string, number>>
  /** What was cut from observations, by the id of their call; oldest first. */
  rests?: Readonly<Record<string, KeptRest>>
  /** Calls of the newest step that no activity answered, for the next model call's input. */
  reused?: Readonly<Record<string, string>>
  /** The step under way, while a person must say something of its calls. */
  open?: OpenStep
  /** What people said of the calls of the newest step, for the next model call's input. */
  decided?: Readonly<Record<string, Decision>>
  /** Tools whose calls need no approval any more in this turn. */
  approvedTools?: readonly string[]
  /** What the user said while the turn was running, not read yet; oldest first. */
  steering?: readonly string[]
  /** True once the user asked the turn to come to an end. */
  interrupted?: boolean
  /** What earlier turns of the conversation used: limits are those of one turn. */
  readonly turnStart?: { readonly tokens: number; readonly costUsd: number }
  /** When the turn's first step began, in milliseconds; only for a turn with a deadline. */
  startedAt?: number
  /** Milliseconds of the longest model call so far; only for a turn with a deadline. */
  longestCallMs?: number
  /** What calls took by estimate whose server did not say, by model; only for a turn with a budget. */
  uncounted?: Readonly<Record<string, TokenCount>>
  /** Milliseconds of the longest step so far, its tools included; only for a turn with a deadline. */
  longestStepMs?: number
  /** Tokens that the largest step so far added to the conversation. */
  largestStep?: number
  /** Tokens of the longest reply so far. */
  longestReply?: number
  /** What the model said last, once that message was left out of the conversation. */
  said?: string
  /** The strategy of this turn; null when none fits, left out when none was asked for. */
  strategy?: string | null
  /** Set in a run that began with the state of another one. */
  fork?: Fork
  rows: StepRow[]
}

/** A result that answers the same call again. */
export interface CachedResult {
  readonly tool: string
  readonly text: string
  readonly size?: number
  readonly turn: number
  /** When it was made, in milliseconds. */
  readonly at: number
  /** The place `turn.step.call` of the call that made it. */
  readonly source: string
}

/** What was cut from one observation: the text itself, or where the artifact store keeps it. */
export interface KeptRest {
  readonly text?: string
  readonly artifact?: string
  /** Characters that were cut. */
  readonly chars: number
}

/** What the query `status` answers. */
export interface RunProgress {
  readonly agent: string
  readonly model: string
  readonly step: number
  readonly usage: Usage
  /** US dollars so far; null when a model that answered has no price. */
  readonly costUsd: number | null
  /** What the run waits for a person for; empty while it works. */
  readonly waitingFor: readonly PendingRequest[]
}

/** One page of the prompt, as the query `prompt` answers it. */
export type PromptPage =
  | { readonly kind: 'stale' }
  | {
      readonly kind: 'page'
      /** Only on the first page. */
      readonly manifest: Manifest | null
      /** Who is asking, for the rules of tools; only on the first page. */
      readonly context?: JsonObject | null
      readonly messages: readonly Message[]
      /** Where the next page begins; null at the end. */
      readonly next: number | null
    }

/** The argument of the query `prompt`. */
export interface PromptRequest {
  readonly turn: number
  readonly step: number
  readonly from: number
}
