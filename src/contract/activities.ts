import type { JsonObject } from './json.js'
import type { Manifest, ToolManifest } from './manifest.js'
import type { ModelReply, TokenCount } from './reply.js'
import type { Decision } from './requests.js'

/** Input of `prepareTurn`. */
export interface PrepareTurnInput {
  readonly agent: string
  readonly turn: number
  readonly input: string
  /** Who is asking; checked by the agent's `context` schema. Null when the caller gave none. */
  readonly context: JsonObject | null
}

/** A conversation by reference: whoever has it knows it by count and digest. */
export interface ConversationReference {
  readonly turn: number
  /** The step that it is read for. */
  readonly step: number
  /** Messages in the conversation. */
  readonly count: number
  /** Rolling digest over the manifest and these messages. */
  readonly digest: string
}

/** Input of `callModel`: the prompt by reference. */
export interface CallModelInput extends ConversationReference {
  /** The fallback model that is asked instead of the manifest's first. */
  readonly model?: string
  /** True: the forced last answer, asked for without tools. */
  readonly forced?: true
  /** The name of the strategy that was chosen for this turn. */
  readonly strategy?: string
  /** True: the built-in tool `read_more` is offered. */
  readonly readMore?: true
  /**
   * Calls of the step before that no activity answered: their place, and the place `turn.step.call` of
   * the call whose result answered them, {@link OVER_LIMIT}, {@link NOTHING_KEPT} or {@link DRY}. Only for
   * readers of the history.
   */
  readonly reused?: Readonly<Record<string, string>>
  /** What people said of calls of the step before, by their place. Only for readers of the history. */
  readonly decided?: Readonly<Record<string, Decision>>
}

/** Stands in `reused` for a call above its tool's `maxCalls`. */
export const OVER_LIMIT = 'call_limit'

/** Stands in `reused` for a call of `read_more` with an id under which nothing is kept. */
export const NOTHING_KEPT = 'nothing_kept'

/**
 * Stands in `reused` for a call that a dry fork did not make; `dry:` and a key of its recorded results where
 * one of them answered it.
 */
export const DRY = 'dry'

/** Input of `chooseStrategy`: the conversation before the first step of a turn. */
export interface ChooseStrategyInput extends ConversationReference {
  /** The fallback model that is asked instead of the manifest's first. */
  readonly model?: string
}

/** Result of `chooseStrategy`. */
export interface StrategyChoice {
  /** The name of one of the manifest's strategies; null when none fits. */
  readonly strategy: string | null
  /** Null when the server did not say. */
  readonly tokens: TokenCount | null
}

/** Input of `summarize`: the part of the conversation that becomes a summary. */
export interface SummarizeInput extends ConversationReference {
  /** The messages before this place, from 0, are summarised. */
  readonly to: number
  /** The place of the message among them that stays and is not summarised; null when there is none. */
  readonly goal: number | null
  /** Words of the summary at most. */
  readonly maxWords: number
  /** The model that writes it, where it is not the manifest's first. */
  readonly model?: string
}

/** Result of `summarize`. */
export interface Summary {
  /** Empty when the model gave none. */
  readonly text: string
  /** Null when the server did not say. */
  readonly tokens: TokenCount | null
  /** Tokens of the message that the summary becomes, as the worker counted them. */
  readonly size?: number
}

/** Input of a tool's activity. */
export interface ToolCallInput {
  readonly turn: number
  readonly step: number
  /** The call's place in its step, from 1. */
  readonly call: number
  readonly args: JsonObject
  readonly context: JsonObject | null
  /** The run id of the first execution of the chain: part of the idempotency key. */
  readonly origin: string
  /** True: what is cut from the observation is kept for `read_more`. */
  readonly keepRest?: true
  /** For a remote tool only: perdure's own activities make it themselves. */
  readonly idempotencyKey?: string
}

/** Input of the activity `read_more`: a page of what the artifact store keeps. */
export interface ReadMoreInput {
  readonly turn: number
  readonly step: number
  readonly call: number
  /** The key under which the text is kept. */
  readonly key: string
  /** Characters that were left out. */
  readonly chars: number
  readonly page: number
}

/** Input of `checkCall`: a call as a person changed it. */
interface CheckCallInput {
  readonly agent: string
  readonly tool: string
  readonly args: JsonObject
}

/** Result of `checkCall`. */
interface CheckedCall {
  readonly args: JsonObject
  /** What is wrong with the arguments; left out when they fit. */
  readonly problem?: string
  /** For a remote tool: the part of the idempotency key that the workflow cannot make. */
  readonly hash?: string
}

/** Result of a tool's activity: the observation. */
export interface ToolOutcome {
  readonly text: string
  /** Left out when the tool succeeded. */
  readonly error?: true
  /** Tokens of the message that the text becomes, as the worker counted them. */
  readonly size?: number
  /** What was cut from the text, 64,000 bytes of JSON at most. */
  readonly rest?: string
  /** Where the artifact store keeps what was cut. */
  readonly artifact?: string
  /** Characters that were cut. */
  readonly cut?: number
  /** The call's place, which the history of a local activity does not tell otherwise. */
  readonly at?: { readonly turn: number; readonly step: number; readonly call: number }
  /** Milliseconds from scheduling to its end, which the marker of a local activity does not tell. */
  readonly ms?: number
}

/**
 * At once the wire, the type of the workflow's proxy, the effects of the loop and the fake of the unit
 * tests.
 */
export interface AgentActivities {
  /** **Contract:** no I/O; rejects with a typed failure when the agent is unknown or its definition is bad. */
  prepareTurn(input: PrepareTurnInput): Promise<Manifest>
  /** **Contract:** resolves with a checked reply; rejects with a typed failure when every attempt failed. */
  callModel(input: CallModelInput): Promise<ModelReply>
  /** **Contract:** resolves with a strategy of the manifest or none; rejects with a typed failure. */
  chooseStrategy(input: ChooseStrategyInput): Promise<StrategyChoice>
  /** **Contract:** resolves with what the model wrote, which may be nothing; rejects with a typed failure. */
  summarize(input: SummarizeInput): Promise<Summary>
  /** **Contract:** a tool that fails resolves with an error observation; rejects when the run must end. */
  runTool(tool: ToolManifest, input: ToolCallInput): Promise<ToolOutcome>
  /** **Contract:** no I/O; resolves with what is wrong, rejects with a typed failure for an unknown tool. */
  checkCall(input: CheckCallInput): Promise<CheckedCall>
  /** **Contract:** a page, or an error observation. */
  readArtifact(input: ReadMoreInput): Promise<ToolOutcome>
}
