import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { reportOf } from '../../agent/session-state.js'
import { FAILURE, type LimitFailureDetail, type RunFailureDetail } from '../../contract/failures.js'
import { QUERY, UPDATE } from '../../contract/names.js'
import type { RunResult } from '../../contract/run.js'
import type {
  Asked,
  SessionEnd,
  SessionProgress,
  TurnFailure,
  TurnOutcome,
  TurnReport,
} from '../../contract/session.js'
import { AgentLimitError } from '../errors/agent-limit-error.js'
import { AgentRunError } from '../errors/agent-run-error.js'
import { SessionError } from '../errors/session-error.js'
import { TurnCancelledError } from '../errors/turn-cancelled-error.js'
import type { RunHandle } from '../run-handle.js'
import { ended, type PeopleHandle } from './people.js'
import { query } from './query.js'
import { isTooMany, sendUpdate } from './send-update.js'

/** The answer of one turn. */
export interface TurnResult extends RunResult {
  /** The turn's number in the session, from 1. */
  readonly turn: number
}

/** Options of `ask`. */
export interface AskOptions {
  /**
   * The same id asks once, whoever sends it, within the last 1,000 questions: a service that died and asks
   * again gets the answer of the first. @default a random one
   */
  readonly requestId?: string
}

/** One conversation with an agent. */
export interface SessionHandle
  extends PeopleHandle,
    Pick<RunHandle, 'id' | 'steps' | 'transcript' | 'url' | 'watch'> {
  /** True when the session was there, and false when this handle started it or opened it again. */
  readonly attached: boolean
  /**
   * Asks a question and waits for the answer. Questions are answered in the order in which they come.
   *
   * @throws AgentRunError, AgentLimitError when the turn ends without a result; the conversation goes on
   * @throws TurnCancelledError when somebody cancels the turn
   * @throws SessionError `queue_full`, `closed`, `ended`
   */
  ask(text: string, options?: AskOptions): Promise<TurnResult>
  /** Asks a question and does not wait: `result` does. Throws as `ask` does. */
  submit(text: string, options?: AskOptions): Promise<{ readonly turn: number }>
  /** Waits for the answer of a turn. Throws as `ask` does, and SessionError `turn_gone` for one of long ago. */
  result(turn: number): Promise<TurnResult>
  /**
   * Says something to the running turn, before its next model call.
   *
   * @throws SessionError `no_turn` when none is running: ask then
   */
  steer(text: string): Promise<void>
  /** Ends the running turn with an answer from what there is. @throws SessionError `no_turn` */
  interrupt(options?: { readonly by?: string }): Promise<void>
  /** Ends the running turn at once, without an answer. @throws SessionError `no_turn` */
  cancelTurn(options?: { readonly by?: string }): Promise<void>
  /** Takes no more questions; ends the session when those that wait are answered. It can be opened again. */
  close(): Promise<void>
  /** What the session is doing, as its workflow tells it. @throws SessionError `no_worker` */
  status(): Promise<SessionProgress>
}

/** What a handle is made of. */
export interface SessionHandleOptions {
  readonly client: Client
  readonly run: RunHandle
  readonly people: PeopleHandle
  /** Opens the session again when it has been closed meanwhile. */
  readonly reopen: () => Promise<void>
}

/** Milliseconds between two looks at a turn for which as many callers wait as may. */
const POLL_MS = 500

/** A handle for a session that exists. */
export function createSessionHandle(options: SessionHandleOptions): SessionHandle {
  const { client, run, people } = options
  const { id } = run
  const send = async (name: string, input: object): Promise<void> => {
    try {
      await sendUpdate(client, id, { name, args: [input], isIdempotent: false })
    } catch (error) {
      throw await ended(client, id, error)
    }
  }
  const submit = (text: string, { requestId = randomUUID() }: AskOptions = {}) =>
    submitAsk(options, { text, requestId })
  const result = async (turn: number) => resultOf(id, turn, await untilEnded(client, id, turn))
  return {
    id,
    url: run.url,
    attached: run.attached,
    steps: run.steps,
    watch: run.watch,
    transcript: run.transcript,
    ...people,
    submit,
    result,
    ask: async (text, asking) => {
      const { turn } = await submit(text, asking)
      return await result(turn)
    },
    steer: async (text) => send(UPDATE.steer, { text }),
    interrupt: async (by = {}) => send(UPDATE.interrupt, by),
    cancelTurn: async (by = {}) => send(UPDATE.cancelTurn, by),
    close: async () => send(UPDATE.close, {}),
    status: async () => {
      try {
        return await query<SessionProgress>(client, id, QUERY.session)
      } catch (error) {
        throw await ended(client, id, error)
      }
    },
  }
}

async function submitAsk(
  { client, run: { id }, reopen }: SessionHandleOptions,
  input: { readonly text: string; readonly requestId: string },
): Promise<Asked> {
  const ask = () =>
    sendUpdate<Asked>(client, id, {
      name: UPDATE.ask,
      args: [input],
      updateId: input.requestId,
      isIdempotent: true,
    })
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
    // It was idle for too long, or somebody closed it.
    await reopen()
    return await ask()
  }
}

async function untilEnded(client: Client, id: string, turn: number): Promise<TurnOutcome> {
  for (;;) {
    const report = await awaitTurn(client, id, turn)
    if (report.kind === 'ended') return report.outcome
    if (report.kind === 'gone') {
      throw new SessionError(
        id,
        'turn_gone',
        `turn ${turn} ended too long ago, or was lost with its session; steps() has what is left of it.`,
      )
    }
  }
}

/** What there is to say of a turn, in half a minute at most. */
async function awaitTurn(client: Client, id: string, turn: number): Promise<TurnReport> {
  const args = [{ turn }] as const
  try {
    return await sendUpdate(client, id, { name: UPDATE.awaitTurn, args, isIdempotent: true })
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return await reportOfClosed(client, id, turn, error)
    if (!isTooMany(error)) throw error
    await sleep(POLL_MS)
    return await lookAt(client, id, turn)
  }
}

/** By query, which the history does not see. While no worker is there the caller waits on. */
async function lookAt(client: Client, id: string, turn: number): Promise<TurnReport> {
  try {
    return await query<TurnReport>(client, id, QUERY.turn, { turn })
  } catch (error) {
    if (!(error instanceof SessionError && error.reason === 'no_worker')) throw error
    return { kind: 'pending', queued: false, waitingFor: [] }
  }
}

/** A session that was closed after the turn has its outcome in its result. */
async function reportOfClosed(
  client: Client,
  id: string,
  turn: number,
  error: WorkflowNotFoundError,
): Promise<TurnReport> {
  const handle = client.workflow.getHandle(id)
  const isClosed = await handle.describe().then(
    ({ status }) => status.name === 'COMPLETED',
    () => false,
  )
  if (!isClosed) throw await ended(client, id, error)
  const { session } = (await handle.result()) as SessionEnd
  return reportOf(session, turn)
}

function resultOf(id: string, turn: number, outcome: TurnOutcome): TurnResult {
  switch (outcome.kind) {
    case 'result':
      return { ...outcome.result, turn }
    case 'cancelled':
      throw new TurnCancelledError(id, turn)
    case 'failed':
      throw failureOf(id, outcome.failure)
  }
}

function failureOf(id: string, { type, message, detail }: TurnFailure): Error {
  if (type === FAILURE.limit && detail !== null) {
    const { reason, partial } = detail as LimitFailureDetail
    return new AgentLimitError(id, reason, partial)
  }
  return new AgentRunError(id, (detail as RunFailureDetail | null) ?? { reason: 'failed' }, {
    message,
  })
}
