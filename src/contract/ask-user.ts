import type { ToolManifest } from './manifest.js'

/** The name of the built-in tool. */
export const ASK_USER = 'ask_user'

/** The built-in tool as the model sees it; offered where the agent says `askUser: true`. */
export const ASK_USER_TOOL: ToolManifest = {
  name: ASK_USER,
  description:
    'Use when something that only the user knows is missing and no tool can find it out. Asks one question and waits for the answer.',
  parameters: {
    type: 'object',
    properties: { question: { type: 'string', description: 'What to ask the user.' } },
    required: ['question'],
    additionalProperties: false,
  },
  strict: true,
  activityType: ASK_USER,
  annotations: { readOnlyHint: true },
  timeoutMs: 30_000,
  maximumAttempts: 1,
  parallel: true,
  polling: false,
  volatileFields: [],
  sensitive: [],
}
