import { condition, defineQuery, defineUpdate, setHandler } from '@temporalio/workflow'
import { interrupt } from '../agent/requests.js'
import {
  enqueue,
  isQueueFull,
  reportOf,
  runningState,
  turnOf,
  waitingFor,
} from '../agent/session-state.js'
import { FAILURE } from '../contract/failures.js'
import { QUERY, UPDATE } from '../contract/names.js'
import type { RunState } from '../contract/run.js'
import type {
  Asked,
  AskInput,
  ByInput,
  SessionProgress,
  SessionState,
  SteerInput,
  TurnReport,
  TurnRequest,
} from '../contract/session.js'
import { checkName, checkText, handlePeople } from './person-handlers.js'
import { refusal } from './refusal.js'

const askUpdate = defineUpdate<Asked, [AskInput]>(UPDATE.ask)
const awaitTurnUpdate = defineUpdate<TurnReport, [TurnRequest]>(UPDATE.awaitTurn)
const steerUpdate = defineUpdate<void, [SteerInput]>(UPDATE.steer)
const interruptUpdate = defineUpdate<void, [ByInput]>(UPDATE.interrupt)
const cancelTurnUpdate = defineUpdate<void, [ByInput]>(UPDATE.cancelTurn)
const closeUpdate = defineUpdate<void, [ByInput]>(UPDATE.close)
const sessionQuery = defineQuery<SessionProgress>(QUERY.session)
const turnQuery = defineQuery<TurnReport, [TurnRequest]>(QUERY.turn)

/** Bytes of a question are limited by the queue; a steering message is short. */
const MAX_STEERING = 50
/** Milliseconds that `awaitTurn` waits: a caller that is gone must not keep its place for long. */
const AWAIT_MS = 30_000
/** Callers that wait at once: the server lets 10 updates of a run be under way, and others need room. */
const MAX_WAITERS = 5
const MAX_ID_CHARS = 200

/** What the handlers need of the workflow beside its state. */
export interface SessionControl {
  /** Updates that this execution has accepted: the server refuses more than 2,000. */
  updates: number
  /** True once the execution is about to continue as new: callers ask the next one. */
  leaving: boolean
  /** Ends the running turn at once. */
  cancelTurn(): void
}

/** Takes what callers send to a session. */
export function handleSession(session: SessionState, control: SessionControl): void {
  handleTurns(session, control)
  handleRunningTurn(session, control)
  setHandler(
    closeUpdate,
    counted(control, () => {
      session.closing = true
    }),
  )
  setHandler(sessionQuery, () => ({
    agent: session.agent,
    turns: session.asked,
    running: session.active?.turn ?? null,
    queued: session.queue.length,
    waitingFor: waitingFor(session),
    closing: session.closing,
  }))
  handlePeople(() => [runningState(session)])
}

function handleTurns(session: SessionState, control: SessionControl): void {
  let waiters = 0
  setHandler(
    askUpdate,
    counted(control, ({ requestId, text }) => ({
      turn: turnOf(session, requestId) ?? enqueue(session, { requestId, text }).turn,
    })),
    { validator: (input) => checkAsk(session, input) },
  )
  setHandler(
    awaitTurnUpdate,
    counted(control, async ({ turn }) => {
      waiters++
      try {
        const isOver = () => reportOf(session, turn).kind !== 'pending' || control.leaving
        await condition(isOver, AWAIT_MS)
        return reportOf(session, turn)
      } finally {
        waiters--
      }
    }),
    {
      validator: (input) => {
        checkTurn(session, input)
        if (waiters < MAX_WAITERS || reportOf(session, input.turn).kind !== 'pending') return
        throw refusal(FAILURE.tooManyWaiters, `${MAX_WAITERS} callers wait: ask by query.`)
      },
    },
  )
  setHandler(turnQuery, (input) => {
    checkTurn(session, input)
    return reportOf(session, input.turn)
  })
}

function handleRunningTurn(session: SessionState, control: SessionControl): void {
  const validator = (input: ByInput) => {
    checkName(input?.by)
    if (session.active === null) throw noTurn()
  }
  setHandler(
    steerUpdate,
    counted(control, async ({ text }) => {
      const state = await untilRunning(session)
      state.steering = [...(state.steering ?? []), text.toWellFormed()]
    }),
    {
      validator: (input) => {
        checkText(input?.text, 'text')
        if (session.active === null) throw noTurn()
        if ((runningState(session)?.steering?.length ?? 0) < MAX_STEERING) return
        throw refusal(FAILURE.queueFull, `${MAX_STEERING} messages wait for the next step already.`)
      },
    },
  )
  setHandler(
    interruptUpdate,
    counted(control, async (input) => {
      interrupt(await untilRunning(session), input?.by ?? null, Date.now())
    }),
    { validator },
  )
  setHandler(
    cancelTurnUpdate,
    counted(control, () => control.cancelTurn()),
    { validator },
  )
}

/** Counts the updates that are accepted. */
function counted<A extends unknown[], R>(
  control: SessionControl,
  handler: (...args: A) => R,
): (...args: A) => R {
  return (...args) => {
    control.updates++
    return handler(...args)
  }
}

/** The state of the running turn. Between the taking of a question and its first step its definition is read. */
async function untilRunning(session: SessionState): Promise<RunState> {
  const turn = session.active?.turn
  await condition(() => runningState(session) !== null || session.active?.turn !== turn)
  const state = runningState(session)
  if (state === null || state.turn !== turn) throw noTurn()
  return state
}

function checkAsk(session: SessionState, input: AskInput): void {
  const { requestId } = input ?? {}
  if (typeof requestId !== 'string' || requestId === '' || requestId.length > MAX_ID_CHARS) {
    throw refusal(
      FAILURE.refused,
      `ask needs a requestId of 1 to ${MAX_ID_CHARS} characters: the same one asks once.`,
    )
  }
  checkText(input.text, 'text')
  if (turnOf(session, requestId) !== undefined) return
  if (session.closing) {
    throw refusal(FAILURE.sessionClosed, 'The session is closed. Open it again by its id.')
  }
  if (isQueueFull(session, input.text)) {
    throw refusal(
      FAILURE.queueFull,
      `${session.queue.length} questions wait: as many as may. Ask again when some are answered.`,
    )
  }
}

function checkTurn({ asked }: SessionState, input: TurnRequest): void {
  const { turn } = input ?? {}
  if (Number.isInteger(turn) && turn >= 1 && turn <= asked) return
  throw refusal(FAILURE.refused, `There is no turn ${turn}: ${asked} were asked for.`)
}

function noTurn() {
  return refusal(FAILURE.noTurn, 'No turn is running: ask a question instead.')
}
