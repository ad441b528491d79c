import type { ToolOutcome } from './activities.js'
import type { JsonObject } from './json.js'
import type { AssistantMessage } from './messages.js'

/** What a run waits for: a person's word on one call. */
export interface PendingRequest {
  /** `approval`: whether the call may run; `question`: what the model asks by `ask_user`. */
  readonly kind: 'approval' | 'question'
  /** The id of the call: nine letters and digits. */
  readonly id: string
  readonly turn: number
  readonly step: number
  /** The call's place in its step, from 1. */
  readonly call: number
  readonly tool: string
  readonly args: JsonObject
  /** Why the call needs approval, as its tool says, '' when it gives no reason; or the question. */
  readonly text: string
  /** When it was asked, in milliseconds since 1970. */
  readonly since: number
  /** When it is denied if nobody has said anything, in milliseconds since 1970. */
  readonly deadline: number
}

/** What a person said of a call, or that nobody did. */
export type Decision = {
  /** Who said it, as the caller told; null when it was not told, or nobody did. */
  readonly by: string | null
  /** When, by the workflow's clock, in milliseconds since 1970. */
  readonly at: number
} & (
  | {
      readonly kind: 'approved'
      /** What the call runs with instead of the model's own arguments. */
      readonly args?: JsonObject
      /** For a remote tool: the part of the idempotency key that goes with these arguments. */
      readonly hash?: string
    }
  | { readonly kind: 'denied'; readonly reason: string }
  | { readonly kind: 'answered'; readonly text: string }
  /** The deadline passed. */
  | { readonly kind: 'expired' }
  /** The turn was interrupted. */
  | { readonly kind: 'interrupted' }
)

/** A step of which some calls wait for a person. Carried over continue-as-new like the rest of the state. */
export interface OpenStep {
  readonly message: AssistantMessage
  /** Tokens of the message, as the worker counted them. */
  readonly size?: number
  /** The row that the step gets in the table of the UI. */
  readonly what: string
  readonly tokens: number
  readonly startedAt: number
  /** By the call's place. */
  readonly requests: Readonly<Record<string, PendingRequest>>
  /** By the call's place. */
  decisions: Readonly<Record<string, Decision>>
  /** What came of the calls, in call order; null for those that have not run. */
  outcomes: (ToolOutcome | null)[]
}
