import { canonicalJson, type JsonObject } from '../../contract/json.js'
import type { ToolManifest } from '../../contract/manifest.js'
import type { ToolCall } from '../../contract/messages.js'
import type { RunState } from '../../contract/run.js'
import { fingerprint } from '../digest.js'
import type { StopRule } from './stop-rule.js'

/** Cycles of up to three calls, or of up to three whole steps, are detected. */
const MAX_PERIOD = 3
/** Times that a cycle may stand in a row before the rule fires. */
const LIMIT = 3
/** Fingerprints that detection looks back on. */
const WINDOW = MAX_PERIOD * LIMIT

/** Appended to the observation of a call that completes the first repetition. */
export const REPEAT_NOTE =
  '\n[note: you made the same call before and got the same result. Do not repeat it: try something else, or answer.]'

/** A call of the step that has just run. */
export interface FinishedCall {
  readonly call: ToolCall
  /** Undefined for a tool that the agent does not have. */
  readonly tool: ToolManifest | undefined
  /** The observation, without notes. */
  readonly text: string
}

/**
 * Fires when the same calls with the same observations stood three times in a row: one call (AAA), a
 * cycle of two or three (ABABAB), or the same whole steps, whatever the number of their parallel calls.
 * A changed observation is another fingerprint, so it clears the suspicion by itself.
 */
export const repeats: StopRule = (state) => {
  if (!state.repeating) return null
  return { reason: 'repeats', message: 'You keep making the same calls with the same results.' }
}

/**
 * Takes the calls of one step into the window.
 *
 * @returns for each call whether its observation deserves the note
 */
export function recordStep(state: RunState, step: readonly FinishedCall[]): boolean[] {
  const seen = new Set<string>()
  const notes = step.map(({ call, tool, text }) => {
    if (tool?.polling) return false
    const print = fingerprint(canonicalJson([call.name, withoutVolatile(call.args, tool), text]))
    // Identical calls of one step are one parallel request, not a repetition.
    if (seen.has(print)) return false
    seen.add(print)
    push(state.recentCalls, print)
    state.repeating ||= stands(state.recentCalls, LIMIT)
    return stands(state.recentCalls, LIMIT - 1)
  })
  if (seen.size === 0) return notes
  push(state.recentSteps, fingerprint([...seen].sort().join()))
  state.repeating ||= stands(state.recentSteps, LIMIT)
  const stepRepeats = stands(state.recentSteps, LIMIT - 1)
  return stepRepeats && !notes.includes(true) ? notes.map((_, i) => i === notes.length - 1) : notes
}

/** True when the newest entry makes some cycle stand exactly `times` times in a row. */
function stands(window: readonly string[], times: number): boolean {
  for (let period = 1; period <= MAX_PERIOD; period++) {
    let same = 0
    while (isRepeated(window, window.length - 1 - same, period)) same++
    if (same === period * (times - 1)) return true
  }
  return false
}

function isRepeated(window: readonly string[], index: number, period: number): boolean {
  return index >= period && window[index] === window[index - period]
}

function push(window: string[], print: string): void {
  window.push(print)
  if (window.length > WINDOW) window.shift()
}

function withoutVolatile(args: JsonObject, tool: ToolManifest | undefined): JsonObject {
  const volatile = tool?.volatileFields ?? []
  if (volatile.length === 0) return args
  return Object.fromEntries(Object.entries(args).filter(([field]) => !volatile.includes(field)))
}
