import type { ModelSettings, ToolManifest } from './manifest.js'
import type { Message } from './messages.js'

/** What a model is asked, in no provider's format. */
export interface Prompt {
  readonly model: string
  readonly settings: ModelSettings
  /** The system message. */
  readonly instructions: string
  /** Each assistant message with calls is followed by exactly one tool message a call, in call order. */
  readonly messages: readonly Message[]
  /** Empty for an agent without tools and for the forced answer: then nothing about tools may be sent. */
  readonly tools: readonly ToolManifest[]
  /** False: the model is told to ask for one call at a time. */
  readonly parallel: boolean
}
