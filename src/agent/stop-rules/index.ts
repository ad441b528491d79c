import { cost, deadline, tokens } from './budget.js'
import { interrupted } from './interrupted.js'
import { maxSteps } from './max-steps.js'
import { repeats } from './repeats.js'
import type { StopRule } from './stop-rule.js'
import { toolErrors } from './tool-errors.js'

/** Looked at in this order before each model call. A new rule: one file and one line here. */
export const BEFORE_CALL: readonly StopRule[] = [interrupted, maxSteps, tokens, cost, deadline]

/** Looked at in this order after the calls of a step. */
export const AFTER_CALLS: readonly StopRule[] = [repeats, toolErrors]
