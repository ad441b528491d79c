import type { StopRule } from './stop-rule.js'

/** Fires before a model call with tools that would be one more than `limits.maxSteps`. */
export const maxSteps: StopRule = (state) => {
  const limit = state.manifest.limits.maxSteps
  if (state.steps < limit) return null
  return { reason: 'max_steps', message: `The limit of ${limit} steps is reached.` }
}
