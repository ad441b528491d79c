import type { StopRule } from './stop-rule.js'

/** Fires once the user asked the turn to come to an end. */
export const interrupted: StopRule = (state) =>
  state.interrupted
    ? { reason: 'interrupted', message: 'The user asks you to stop working on this.' }
    : null
