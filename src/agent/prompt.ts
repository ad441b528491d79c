import type { Manifest } from '../contract/manifest.js'
import type { Message } from '../contract/messages.js'
import type { Prompt } from '../contract/prompt.js'

/** Builds the prompt: the one place that decides what a request holds. */
export function buildPrompt(
  manifest: Manifest,
  messages: readonly Message[],
  forced: boolean,
): Prompt {
  return {
    model: manifest.model,
    settings: manifest.modelSettings,
    instructions: manifest.instructions,
    messages,
    tools: forced ? [] : manifest.tools,
    parallel: manifest.parallel,
  }
}
