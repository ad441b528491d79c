import { ASK_USER_TOOL } from '../contract/ask-user.js'
import type { Manifest, ToolManifest } from '../contract/manifest.js'
import type { Message } from '../contract/messages.js'
import type { Prompt } from '../contract/prompt.js'
import { READ_MORE_TOOL } from '../contract/read-more.js'

/** What one call wants of its prompt. */
export interface PromptOptions {
  /** True: the last answer, without tools. */
  readonly forced?: boolean | undefined
  /** The name of the strategy in use. */
  readonly strategy?: string | undefined
  /** True: the built-in tool `read_more` is offered. */
  readonly readMore?: boolean | undefined
}

/** The tools that a call offers. */
export function offeredTools(
  { tools, askUser }: Pick<Manifest, 'askUser' | 'tools'>,
  readMore = false,
): readonly ToolManifest[] {
  if (!readMore && !askUser) return tools
  return [...tools, ...(readMore ? [READ_MORE_TOOL] : []), ...(askUser ? [ASK_USER_TOOL] : [])]
}

/** Builds the prompt: the one place that decides what a request holds. */
export function buildPrompt(
  manifest: Manifest,
  messages: readonly Message[],
  { forced = false, strategy, readMore }: PromptOptions = {},
): Prompt {
  const chosen = manifest.strategies?.find(({ name }) => name === strategy)
  return {
    model: manifest.model,
    settings: manifest.modelSettings,
    instructions: [manifest.instructions, chosen?.instructions].filter(Boolean).join('\n\n'),
    messages,
    tools: forced ? [] : offeredTools(manifest, readMore),
    parallel: manifest.parallel,
  }
}
