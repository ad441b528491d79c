import type { JsonObject } from './json.js'
import type { Manifest, ToolManifest } from './manifest.js'
import type { ModelReply, TokenCount } from './reply.js'

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
}

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
}

/** Result of a tool's activity: the observation. */
export interface ToolOutcome {
  readonly text: string
  /** Left out when the tool succeeded. */
  readonly error?: true
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
  /** **Contract:** a tool that fails resolves with an error observation; rejects when the run must end. */
  runTool(tool: ToolManifest, input: ToolCallInput): Promise<ToolOutcome>
}
