import { z } from 'zod'
import type { MemoryPolicy } from '../contract/manifest.js'

/** How the conversation of an agent is kept short. */
export interface MemoryOptions {
  /**
   * Older messages become a summary. `false`: they stay. The system message, the question of the turn and
   * the newest messages stay as they are. When no summary can be made, the older messages are dropped.
   */
  readonly summary?:
    | false
    | {
        /** The newest messages, which stay as they are. @default 6 */
        readonly keepMessages?: number
        /** Tokens of older messages from which on they are summarised. @default 3000 */
        readonly aboveTokens?: number
        /** Words that a summary should have at most. @default 100 */
        readonly maxWords?: number
        /** The model that writes it; a cheaper one does. @default the agent's */
        readonly model?: string
      }
  /**
   * Earlier turns of a conversation that are kept: what was asked and answered, without the tool calls.
   * `false`: everything of them stays. @default 10
   */
  readonly turns?: number | false
  /** Tokens that the messages may have, instructions and tool schemas aside: the oldest go first. @default no limit */
  readonly maxTokens?: number
}

/** What the newest messages, summaries and turns are when an agent does not say. */
const DEFAULTS = { keepMessages: 6, aboveTokens: 3_000, maxWords: 100, turns: 10 }

/** Checks the option `memory`. */
export const memoryShape = z.union(
  [
    z.literal('none'),
    z.strictObject({
      summary: z
        .union([
          z.literal(false),
          z.strictObject({
            keepMessages: z.int().min(1).optional(),
            aboveTokens: z.int().min(1).optional(),
            maxWords: z.int().min(10).max(2_000).optional(),
            model: z.string().trim().min(1).optional(),
          }),
        ])
        .optional(),
      turns: z.union([z.literal(false), z.int().min(1)]).optional(),
      maxTokens: z.int().min(100).optional(),
    }),
  ],
  {
    error:
      'must be "none" or { summary?: false | { keepMessages, aboveTokens, maxWords (10 to 2000), model }, turns?: number | false, maxTokens?: number from 100 }',
  },
)

/** The policy of an agent; undefined keeps everything. */
export function memoryPolicy(options: 'none' | MemoryOptions = {}): MemoryPolicy | undefined {
  if (options === 'none') return undefined
  const { summary = {}, turns = DEFAULTS.turns, maxTokens } = options
  const { keepMessages, aboveTokens, maxWords } = DEFAULTS
  return {
    ...(summary === false ? {} : { summary: { keepMessages, aboveTokens, maxWords, ...summary } }),
    ...(turns === false ? {} : { turns }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  }
}
