import type { StopRule } from './stop-rule.js'

/** Steps in a row, all of whose observations are errors, after which a turn ends. */
const LIMIT = 3

/** Fires after three steps in a row that brought nothing but errors. */
export const toolErrors: StopRule = (state) => {
  if (state.errorStreak < LIMIT) return null
  return {
    reason: 'tool_errors',
    message: `Every tool call of the last ${LIMIT} steps failed.`,
  }
}
