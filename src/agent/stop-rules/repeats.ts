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
  const prints = countingPrints(step)
  const notes = prints.map((print) => {
    if (print === null) return false
    push(state.recentCalls, print)
    state.repeating ||= stands(state.recentCalls, LIMIT)
    return stands(state.recentCalls, LIMIT - 1)
  })
  const counting = prints.filter((print) => print !== null)
  if (counting.length === 0) return notes
  push(state.recentSteps, stepPrint(counting.toSorted()))
  state.repeating ||= stands(state.recentSteps, LIMIT)
  const last = prints.lastIndexOf(counting.at(-1) ?? null)
  const wholeStep = stands(state.recentSteps, LIMIT - 1) && !notes.includes(true)
  return wholeStep ? notes.map((_, i) => i === last) : notes
}

/**
 * One fingerprint a call, `call/observation`; null for a call that does not count: one of a polling tool,
 * and one that stands in its step already, which is one parallel request and no repetition.
 */
function countingPrints(step: readonly FinishedCall[]): (string | null)[] {
  const seen = new Set<string>()
  return step.map(({ call, tool, text }) => {
    const asked = fingerprint(canonicalJson([call.name, withoutVolatile(call.args, tool)]))
    const print = `${asked}/${fingerprint(text)}`
    if (tool?.polling || seen.has(print)) return null
    seen.add(print)
    return print
  })
}

/** The fingerprint of a whole step, `calls/observations`, whatever the order of its calls. */
function stepPrint(calls: readonly string[]): string {
  return `${fingerprint(calls.map(askedPart).join())}/${fingerprint(calls.join())}`
}

/** True when the newest entry makes some cycle stand exactly `times` times in a row. */
function stands(window: readonly string[], times: number): boolean {
  for (let period = 1; period <= MAX_PERIOD; period++) {
    let same = 0
    while (isRepeated(window, window.length - 1 - same, period)) same++
    if (same === period * (times - 1) && isCycle(window.slice(-period))) return true
  }
  return false
}

/** A call whose observation changes within the cycle makes progress, or watches something that does. */
function isCycle(entries: readonly string[]): boolean {
  return new Set(entries.map(askedPart)).size === new Set(entries).size
}

function askedPart(print: string): string {
  return print.split('/')[0] ?? ''
}

function isRepeated(window: readonly string[], index: number, period: number): boolean {
  return index >= period && window[index] === window[index - period]
}

function push(window: string[], print: string): void {
  window.push(print)
  if (window.length > WINDOW) window.shift()
}

/** The arguments that tell a call from another. */
export function withoutVolatile(args: JsonObject, tool: ToolManifest | undefined): JsonObject {
  const volatile = tool?.volatileFields ?? []
  if (volatile.length === 0) return args
  return Object.fromEntries(Object.entries(args).filter(([field]) => !volatile.includes(field)))
}
