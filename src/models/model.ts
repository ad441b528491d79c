import type { Prompt } from '../contract/prompt.js'
import type { Finish, TokenCount } from '../contract/reply.js'

/** One call as the provider sent it, unread. */
export interface RawCall {
  readonly name: string
  /** Usually JSON text; some servers send an object, or nothing. */
  readonly arguments: unknown
}

/** A reply as the provider sent it, its calls unread. */
export interface RawReply {
  readonly text: string
  readonly calls: readonly RawCall[]
  readonly finish: Finish
  readonly tokens: TokenCount | null
  /** Parameters that the server refused with this request, and that it was sent again without. */
  readonly adapted?: readonly string[]
}

/** A language model. Implement it to use a provider without an OpenAI-compatible API. */
export interface Model {
  /**
   * **Contract:** sends one request, never retries by itself, stops when `signal` aborts; rejects with
   * `ModelError` for what the provider or the network did. Knows nothing of Temporal.
   */
  complete(prompt: Prompt, signal: AbortSignal): Promise<RawReply>
}
