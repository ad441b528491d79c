import type { Manifest } from '../contract/manifest.js'
import type { Message } from '../contract/messages.js'
import type { Prompt } from '../contract/prompt.js'

/** What one call wants of its prompt. */
export interface PromptOptions {
  /** True: the last answer, without tools. */
  readonly forced?: boolean | undefined
  /** The name of the strategy in use. */
  readonly strategy?: string | undefined
}

/** Builds the prompt: the one place that decides what a request holds. */
export function buildPrompt(
  manifest: Manifest,
  messages: readonly Message[],
  { forced = false, strategy }: PromptOptions = {},
): Prompt {
  const chosen = manifest.strategies?.find(({ name }) => name === strategy)
  return {
    model: manifest.model,
    settings: manifest.modelSettings,
    instructions: [manifest.instructions, chosen?.instructions].filter(Boolean).join('\n\n'),
    messages,
    tools: forced ? [] : manifest.tools,
    parallel: manifest.parallel,
  }
}
