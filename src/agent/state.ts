import type { JsonObject } from '../contract/json.js'
import type { Manifest } from '../contract/manifest.js'
import type { RunResult, RunState, StepRow, StopReason } from '../contract/run.js'
import { NO_USAGE } from '../contract/usage.js'
import { append, userMessage } from './conversation.js'
import { costOf } from './cost.js'
import { startDigest } from './digest.js'

/** Rows of the step table that a run carries; the whole list is in its history. */
const MAX_ROWS = 50

/** How a turn begins. */
export interface TurnStart {
  readonly manifest: Manifest
  readonly input: string
  readonly context: JsonObject | null
  readonly origin: string
  readonly turn: number
}

/** The state before the first step of a run. */
export function startState({ manifest, input, ...start }: TurnStart): RunState {
  const state: RunState = {
    ...start,
    manifest,
    step: 0,
    steps: 0,
    messages: [],
    digest: startDigest(manifest),
    sizes: [],
    recentCalls: [],
    recentSteps: [],
    repeating: false,
    errorStreak: 0,
    nudged: false,
    usage: NO_USAGE,
    rows: [],
  }
  append(state, userMessage(input), manifest.tokens?.input)
  return state
}

/** Adds a row to the step table. */
export function addRow(state: RunState, row: StepRow): void {
  state.rows = [...state.rows, row].slice(-MAX_ROWS)
}

/** The result of a run that ends here. */
export function resultOf(state: RunState, stopReason: StopReason, answer: string): RunResult {
  const { steps, usage, replies = {}, usageByModel = {}, strategy } = state
  const costUsd = costOf(state)
  return {
    answer,
    stopReason,
    steps,
    usage,
    models: replies,
    usageByModel,
    ...(costUsd === null ? {} : { costUsd }),
    ...(strategy ? { strategy } : {}),
  }
}
