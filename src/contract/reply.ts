import type { ToolCall } from './messages.js'

/** Tokens as the provider counted them. */
export interface TokenCount {
  readonly promptTokens: number
  readonly completionTokens: number
}

/** What a whole run used so far. */
export interface Usage extends TokenCount {
  readonly totalTokens: number
  /** Model calls that were answered, the forced answer included. */
  readonly modelCalls: number
  /** Those of them whose server told no usage: they count as 0 tokens above. */
  readonly uncountedCalls: number
}

/** Why the model ended its reply; `context_length`: the prompt is too long for it, there is no reply. */
export type Finish = 'stop' | 'length' | 'content_filter' | 'refusal' | 'context_length'

/** One reply of the model, read and checked: the result of the activity `callModel`. */
export interface ModelReply {
  /** The text of the reply, or of the refusal; empty when there was none. */
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly finish: Finish
  /** Null when the server did not say. */
  readonly tokens: TokenCount | null
  /**
   * Parameters that the server refused in this attempt: one more request each. The worker remembers them
   * for the model.
   */
  readonly adapted?: readonly string[]
  /** Tokens of the message that the reply becomes, as the worker counted them. */
  readonly size?: number
}
