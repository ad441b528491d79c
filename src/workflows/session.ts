import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  workflowInfo,
} from '@temporalio/workflow'
import { endTurn, nextTurn } from '../agent/next-turn.js'
import { beginSession, putOutcome, shrinkSession } from '../agent/session-state.js'
import { startState } from '../agent/state.js'
import { FAILURE, type RunFailureDetail } from '../contract/failures.js'
import type { RunState } from '../contract/run.js'
import type {
  Ask,
  SessionEnd,
  SessionInput,
  SessionState,
  TurnOutcome,
} from '../contract/session.js'
import { prepareTurn } from './effects.js'
import { isHistoryFull, isHistoryLong, MAX_CARRIED_BYTES } from './history-length.js'
import { playTurn } from './run-agent.js'
import { runError } from './run-error.js'
import { upsertStart } from './search-attributes.js'
import { handleSession, type SessionControl } from './session-handlers.js'
import { badSessionInput, isSessionInput } from './session-input.js'
import { showWaiting } from './waiting.js'

/** Updates of one execution after which it continues as new: the server refuses more than 2,000. */
const MAX_UPDATES = 1_500

/** The workflow behind every session: one conversation, turn after turn, for as long as it is used. */
export async function session(input: SessionInput): Promise<SessionEnd> {
  if (!isSessionInput(input)) throw badSessionInput()
  const state = beginSession(input, workflowInfo().firstExecutionRunId)
  const control: SessionControl = { updates: 0, leaving: false, cancelTurn: () => {} }
  handleSession(state, control)
  const isDue = () =>
    (isHistoryLong() || control.updates >= MAX_UPDATES) && (isCarriable(state) || isHistoryFull())

  const reason = await serve(state, control, isDue)
  control.leaving = true
  await condition(allHandlersFinished)
  if (reason !== 'long') return { reason, turns: state.asked, session: state }
  if (isCarriable(state)) return await continueAsNew<typeof session>({ session: state })
  const message = `the session is over ${MAX_CARRIED_BYTES} bytes without its observations, too much to continue as new`
  throw runError('state_too_large', message, { turn: state.asked, step: 0 })
}

/** Answers turn after turn until the session ends, or its history asks to continue as new. */
async function serve(
  state: SessionState,
  control: SessionControl,
  isDue: () => boolean,
): Promise<SessionEnd['reason'] | 'long'> {
  for (;;) {
    if (state.active === null) {
      const hasWork = () => state.queue.length > 0 || state.closing || isDue()
      if (!(await inTime(hasWork, state.settings.idleMs))) return 'idle'
      if (isDue()) return 'long'
      const next = state.queue.shift()
      if (next === undefined) return 'closed'
      state.active = next
    }
    const outcome = await answer(state, state.active, control, isDue)
    if (outcome === null) return 'long'
    putOutcome(state, state.active.turn, outcome)
  }
}

async function inTime(isTrue: () => boolean, ms: number | undefined): Promise<boolean> {
  if (ms !== undefined) return await condition(isTrue, ms)
  await condition(isTrue)
  return true
}

/** Plays one turn. How it ends concerns that turn alone; null when the execution should continue as new. */
async function answer(
  state: SessionState,
  ask: Ask,
  control: SessionControl,
  isDue: () => boolean,
): Promise<TurnOutcome | null> {
  const scope = new CancellationScope()
  control.cancelTurn = () => scope.cancel()
  try {
    const end = await scope.run(async () => {
      if (state.run?.turn !== ask.turn) state.run = await beginTurn(state, ask)
      return await playTurn(state.run, isDue)
    })
    if (end.kind === 'continue') return null
    closeTurn(state, end.result.answer)
    return { kind: 'result', result: end.result }
  } catch (error) {
    const outcome = outcomeOf(error)
    // The whole session was cancelled, or this package has a bug: neither is the end of a turn.
    if (outcome === null || CancellationScope.current().consideredCancelled) throw error
    closeTurn(state, '')
    return outcome
  } finally {
    control.cancelTurn = () => {}
  }
}

async function beginTurn(state: SessionState, { turn, text }: Ask): Promise<RunState> {
  const { agent, context, origin, run } = state
  const manifest = await prepareTurn({ agent, turn, input: text, context })
  if (run !== null) return nextTurn({ ...run, context, origin }, { manifest, input: text, turn })
  const first = startState({ manifest, input: text, context, origin, turn })
  upsertStart(first)
  return first
}

/** A turn without a state never began: the conversation is as it was. */
function closeTurn({ run, active }: SessionState, answer: string): void {
  if (run === null || run.turn !== active?.turn) return
  endTurn(run, answer)
  // A turn that was cancelled waits no longer.
  showWaiting(run)
}

function outcomeOf(error: unknown): TurnOutcome | null {
  if (isCancellation(error)) return { kind: 'cancelled' }
  if (!(error instanceof ApplicationFailure)) return null
  const { type, message, details } = error
  if (type !== FAILURE.run && type !== FAILURE.limit) return null
  const detail = (details?.[0] ?? null) as RunFailureDetail | null
  return { kind: 'failed', failure: { type, message, detail } }
}

function isCarriable(state: SessionState): boolean {
  return shrinkSession(state, MAX_CARRIED_BYTES)
}
