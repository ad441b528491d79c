import type { JsonObject } from '../contract/json.js'
import type { Manifest } from '../contract/manifest.js'
import type { ModelReply, Usage } from '../contract/reply.js'
import type { RunResult, RunState, StepRow, StopReason } from '../contract/run.js'
import { append, userMessage } from './conversation.js'
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
    recentCalls: [],
    recentSteps: [],
    repeating: false,
    errorStreak: 0,
    nudged: false,
    usage: {
      promptTokens: 0,
      completionTokens: 0,
      totalTokens: 0,
      modelCalls: 0,
      uncountedCalls: 0,
    },
    rows: [],
  }
  append(state, userMessage(input))
  return state
}

/** The usage after one more reply. */
export function addUsage(usage: Usage, { tokens }: Pick<ModelReply, 'tokens'>): Usage {
  const promptTokens = usage.promptTokens + (tokens?.promptTokens ?? 0)
  const completionTokens = usage.completionTokens + (tokens?.completionTokens ?? 0)
  return {
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    modelCalls: usage.modelCalls + 1,
    uncountedCalls: usage.uncountedCalls + (tokens === null ? 1 : 0),
  }
}

/** All tokens of a reply; 0 when its server did not say. */
export function tokensOf({ tokens }: Pick<ModelReply, 'tokens'>): number {
  return (tokens?.promptTokens ?? 0) + (tokens?.completionTokens ?? 0)
}

/** Adds a row to the step table. */
export function addRow(state: RunState, row: StepRow): void {
  state.rows = [...state.rows, row].slice(-MAX_ROWS)
}

/** The result of a run that ends here. */
export function resultOf(state: RunState, stopReason: StopReason, answer: string): RunResult {
  const { steps, usage, replies = {}, strategy } = state
  const result = { answer, stopReason, steps, usage, models: replies }
  return strategy ? { ...result, strategy } : result
}
