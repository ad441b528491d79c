import type { ForkInput } from '../contract/fork.js'
import { isObject, type JsonObject } from '../contract/json.js'
import type { RunState } from '../contract/run.js'
import { addRow } from './state.js'

/** The state that a fork begins with, in a run whose first execution is `origin`. */
export function forkedState({ state, ...fork }: ForkInput['fork'], origin: string): RunState {
  // Idempotency keys hang on the origin: a fork has keys of its own.
  const forked: RunState = { ...state, origin, fork }
  addRow(forked, {
    step: state.step,
    what: `forked from ${fork.from.id} before step ${fork.from.step}`,
    tokens: 0,
    ms: 0,
  })
  return forked
}

/** The state that an execution continues or a fork begins with; undefined where a turn begins. */
export function carriedState(
  { state, fork, session }: JsonObject,
  origin = '',
): RunState | undefined {
  if (isObject(state)) return state as unknown as RunState
  const run = isObject(session) ? session['run'] : undefined
  if (isObject(run)) return run as unknown as RunState
  return isObject(fork) ? forkedState(fork as unknown as ForkInput['fork'], origin) : undefined
}
