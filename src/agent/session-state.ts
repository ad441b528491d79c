import type { RunState } from '../contract/run.js'
import type {
  Ask,
  SessionInput,
  SessionState,
  TurnOutcome,
  TurnReport,
} from '../contract/session.js'
import { shrink, utf8Length } from './conversation.js'
import { pendingRequests } from './requests.js'

/** Turns that may wait, where a session does not say. */
const DEFAULT_MAX_QUEUED = 20
/** Bytes of all questions that wait: they are carried over continue-as-new. */
const MAX_QUEUED_BYTES = 300_000
/** Request ids that are remembered beside those of turns that wait. */
const MAX_REQUESTS = 1_000
/** Bytes of the outcomes that are carried. */
const MAX_OUTCOME_BYTES = 300_000

/** The state of a session that begins, continues, or is opened again. */
export function beginSession(input: SessionInput, origin: string): SessionState {
  if ('session' in input) {
    // Another execution of the chain goes on with what it was given; a new chain has keys of its own.
    if (!input.reopened) return input.session
    return { ...input.session, origin, closing: false }
  }
  return {
    agent: input.agent,
    context: input.context ?? null,
    origin,
    settings: input.settings ?? {},
    asked: 0,
    active: null,
    queue: [],
    run: null,
    requests: [],
    outcomes: [],
    closing: false,
  }
}

/** The turn that a request id has asked for before. */
export function turnOf({ requests }: SessionState, requestId: string): number | undefined {
  return requests.findLast(([id]) => id === requestId)?.[1]
}

/** True when no further question may wait. */
export function isQueueFull({ queue, settings }: SessionState, text: string): boolean {
  const bytes = queue.reduce((sum, ask) => sum + utf8Length(ask.text), utf8Length(text))
  return queue.length >= (settings.maxQueued ?? DEFAULT_MAX_QUEUED) || bytes > MAX_QUEUED_BYTES
}

/** Puts a question at the end of the queue. */
export function enqueue(session: SessionState, { text, requestId }: Omit<Ask, 'turn'>): Ask {
  session.asked++
  const ask = { turn: session.asked, requestId, text }
  session.queue.push(ask)
  session.requests.push([requestId, ask.turn])
  const kept = MAX_REQUESTS + session.queue.length
  if (session.requests.length > kept) session.requests.splice(0, session.requests.length - kept)
  return ask
}

/** Keeps how a turn ended; the oldest outcomes make room. */
export function putOutcome(session: SessionState, turn: number, outcome: TurnOutcome): void {
  session.active = null
  session.outcomes.push([turn, outcome])
  let bytes = utf8Length(JSON.stringify(session.outcomes))
  while (bytes > MAX_OUTCOME_BYTES && session.outcomes.length > 1) {
    bytes -= utf8Length(JSON.stringify(session.outcomes.shift())) + 1
  }
}

/** What there is to say of a turn that was asked for. */
export function reportOf(session: SessionState, turn: number): TurnReport {
  const outcome = session.outcomes.find(([one]) => one === turn)?.[1]
  if (outcome !== undefined) return { kind: 'ended', outcome }
  const queued = session.queue.some((ask) => ask.turn === turn)
  if (!queued && session.active?.turn !== turn) return { kind: 'gone' }
  return { kind: 'pending', queued, waitingFor: queued ? [] : waitingFor(session) }
}

/** What the running turn waits for a person for. */
export function waitingFor({ active, run }: SessionState) {
  return active !== null && run?.turn === active.turn ? pendingRequests(run) : []
}

/** The state of the running turn; null before its first step. */
export function runningState({ active, run }: SessionState): RunState | null {
  return active !== null && run?.turn === active.turn ? run : null
}

/**
 * Makes a session fit what continue-as-new can carry: of the conversation the oldest observations go, as in a
 * run.
 *
 * @returns false when it does not fit whatever is left out
 */
export function shrinkSession(session: SessionState, maxBytes: number): boolean {
  const { run, ...rest } = session
  const bytes = utf8Length(JSON.stringify(rest))
  return run === null ? bytes <= maxBytes : shrink(run, maxBytes - bytes)
}
