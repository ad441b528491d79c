import type { JsonObject } from './json.js'

/** One call that the model asked for, in the form in which it is sent back to the model. */
export interface ToolCall {
  /** The tool's name; always matches `^[a-zA-Z0-9_-]{1,64}$`, whatever the model wrote. */
  readonly name: string
  /** The arguments as the model gave them; `{}` when they were not a JSON object. */
  readonly args: JsonObject
  /** Set when the call must not run: the observation that answers it instead. */
  readonly problem?: string
  /** Set when a person must approve the call before it runs: why, '' when the tool gives no reason. */
  readonly approval?: string
  /** For a remote tool: the part of the idempotency key that the workflow cannot make. */
  readonly hash?: string
}

/** What the user, or the loop itself, says to the model. */
export interface UserMessage {
  readonly role: 'user'
  readonly text: string
  /**
   * Set where the loop speaks: a summary of what was left out, or a note. `steering`: what the user said
   * while the turn was running. Left out for what the user asks.
   */
  readonly kind?: 'summary' | 'note' | 'steering'
}

/** One reply of the model. Its calls are answered by the tool messages that follow. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly text: string
  readonly calls: readonly ToolCall[]
  /** Where the reply was made; the ids of its calls derive from it. */
  readonly turn: number
  readonly step: number
}

/** The observation of one call. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly id: string
  readonly text: string
}

/** One message of a conversation, in no provider's format. The system message is the manifest's. */
export type Message = UserMessage | AssistantMessage | ToolMessage

/** True for the summary of what came before. */
export function isSummary(message: Message | undefined): message is UserMessage {
  return message?.role === 'user' && message.kind === 'summary'
}

/**
 * The id of a call, derived from its place: three base-36 digits of the turn, four of the step, two of
 * the call. Nine letters and digits, because Mistral's API takes exactly that form and OpenAI's takes
 * any up to 40 characters. What the server sent as id is dropped: some send none, or the same twice.
 */
export function callId(turn: number, step: number, call: number): string {
  return digits(turn, 3) + digits(step, 4) + digits(call, 2)
}

function digits(value: number, width: number): string {
  return value.toString(36).padStart(width, '0')
}
