import type { Manifest } from '../contract/manifest.js'
import type { RunState } from '../contract/run.js'
import { append, userMessage } from './conversation.js'
import { costOf } from './cost.js'
import { digestOf } from './digest.js'
import { dropTraces } from './memory/scratchpad.js'

/** What the next turn of a conversation begins with. */
export interface NextTurn {
  /** The definition as it is now. */
  readonly manifest: Manifest
  readonly input: string
  readonly turn: number
}

/** What is of one turn, and left out until it happens. */
const ONE_TURN = [
  'strategy',
  'startedAt',
  'callCounts',
  'reused',
  'decided',
  'said',
  'uncounted',
  'open',
  'approvedTools',
  'interrupted',
] as const

/** In the place of an answer, where a turn ended without one: no template takes two questions in a row. */
const NO_ANSWER = '[This turn ended before it was answered.]'

/**
 * Ends a turn of a conversation that goes on: the last word is the model's, also where the turn was cut
 * off, or its answer was forced.
 */
export function endTurn(state: RunState, answer: string): void {
  delete state.open
  const last = state.messages.at(-1)
  if (last?.role === 'assistant' && last.calls.length === 0) return
  const { turn, step } = state
  const text = answer.trim() === '' ? NO_ANSWER : answer
  append(state, { role: 'assistant', text, calls: [], turn, step })
}

/**
 * The state before the first step of the next turn of a conversation. What was said stays, as far as the
 * agent's memory keeps it; usage and cached results too. Limits, repeats and the strategy begin anew.
 */
export function nextTurn(state: RunState, { manifest, input, turn }: NextTurn): RunState {
  const next: RunState = {
    ...state,
    manifest,
    turn,
    turnStart: { tokens: state.usage.totalTokens, costUsd: costOf(state) ?? 0 },
    step: 0,
    steps: 0,
    recentCalls: [],
    recentSteps: [],
    repeating: false,
    errorStreak: 0,
    nudged: false,
    fallback: 0,
    rows: [],
  }
  for (const field of ONE_TURN) delete next[field]
  const { turns } = manifest.memory ?? {}
  if (turns === undefined) next.digest = digestOf(manifest, next.messages)
  // One of the turns that are kept is the one that begins.
  else dropTraces(next, Math.max(1, turns - 1))
  append(next, userMessage(input), manifest.tokens?.input)
  return next
}
