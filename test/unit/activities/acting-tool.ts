import { z } from 'zod'
import { PromptCache } from '../../../src/activities/prompt-cache.js'
import { createToolActivity, type ToolActivity } from '../../../src/activities/run-tool.js'
import type { ToolCallInput } from '../../../src/contract/activities.js'
import { defineTool, type Tool, type ToolContext } from '../../../src/definition/define-tool.js'
import { NO_TABLES } from './sample.js'

/** The input of a call. */
export function input(
  args: ToolCallInput['args'] = {},
  more: Partial<ToolCallInput> = {},
): ToolCallInput {
  return { turn: 1, step: 1, call: 1, args, context: null, origin: 'origin', ...more }
}

/** A tool that does `execute`, whatever its arguments. */
export function doing(
  execute: (args: unknown, context: ToolContext<unknown>) => unknown,
  annotations = {},
): Tool {
  const anything = z.looseObject({})
  return defineTool({ name: 'act', description: 'Use it.', input: anything, annotations, execute })
}

/** The activity of a tool. */
export function activity(tool: Tool, cache = new PromptCache()): ToolActivity {
  return createToolActivity(tool, { cache, tokenizer: NO_TABLES, artifacts: undefined })
}

/** A tool that throws `error`. */
export function throwing(error: unknown, annotations = {}): Tool {
  return doing(() => {
    throw error
  }, annotations)
}
