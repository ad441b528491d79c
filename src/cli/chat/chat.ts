import { setTimeout as sleep } from 'node:timers/promises'
import { SessionError } from '../../client/errors/session-error.js'
import type { SessionHandle } from '../../client/session/session-handle.js'
import type { PendingRequest } from '../../contract/requests.js'
import { callText } from '../call-text.js'
import { sendDecision } from '../decision.js'
import { printResult } from '../print-run.js'
import { line, styled, type Terminal } from '../terminal.js'
import { runChatCommand } from './chat-command.js'
import type { LineReader } from './line-reader.js'
import type { LiveSteps } from './live-steps.js'
import { DECISIONS, readDecision } from './read-decision.js'

/** What a conversation on a terminal is made of. */
export interface ChatOptions {
  readonly session: SessionHandle
  readonly terminal: Terminal
  readonly lines: LineReader
  readonly steps: LiveSteps
  /** Who approves and answers; recorded. */
  readonly by: string | undefined
  /** Aborted when the person leaves. */
  readonly signal: AbortSignal
}

const PROMPT = 'you> '
/** Milliseconds between two looks whether the turn waits for a person. */
const LOOK_MS = 400

/** Asks what is typed, turn after turn, until the person leaves or the lines end. */
export async function chat(options: ChatOptions): Promise<void> {
  const { session, lines, signal, terminal } = options
  const running = await runningTurn(session)
  if (running !== null) {
    line(terminal.err, styled(terminal.err, 'dim', `turn ${running} is running`))
    if ((await followTurn(running, options)) === 'leave') return
  }
  while (!signal.aborted) {
    lines.prompt(PROMPT)
    const text = await orAborted(lines.peek(), signal)
    if (text === null) return
    lines.take()
    if (text.trim() === '') continue
    if (text.startsWith('/')) {
      if ((await runChatCommand(text, options)) === 'leave') return
      continue
    }
    const { turn } = await session.submit(text)
    if ((await followTurn(turn, options)) === 'leave') return
  }
}

async function runningTurn(session: SessionHandle): Promise<number | null> {
  try {
    return (await session.status()).running
  } catch (error) {
    // A worker comes later, or never: the first question will tell.
    if (error instanceof SessionError && error.reason === 'no_worker') return null
    throw error
  }
}

/** Shows a turn until it ends; takes decisions and commands meanwhile, and leaves questions for later. */
async function followTurn(turn: number, options: ChatOptions): Promise<'leave' | 'stay'> {
  const { session, terminal, steps, signal } = options
  const startedAt = Date.now()
  const [stop, leave] = [new AbortController(), new AbortController()]
  const talking = talk(options, leave, AbortSignal.any([signal, leave.signal, stop.signal]))
  try {
    const result = await orAborted(session.result(turn), AbortSignal.any([signal, leave.signal]))
    if (result === null) return 'leave'
    await steps.untilShown(turn)
    printResult(terminal.out, result, (Date.now() - startedAt) / 1_000)
  } catch (error) {
    await steps.untilShown(turn)
    const { message } = error instanceof Error ? error : new Error(String(error))
    line(terminal.out, styled(terminal.out, 'red', message))
  } finally {
    stop.abort()
    await talking
  }
  return 'stay'
}

/** Takes what is typed while a turn runs: commands at once, decisions when one is asked for. */
async function talk(
  options: ChatOptions,
  leave: AbortController,
  signal: AbortSignal,
): Promise<void> {
  let shown: string | null = null
  while (!signal.aborted) {
    const request = await waitingFor(options.session)
    if (signal.aborted) return
    if (request !== null && request.id !== shown) showRequest(request, options)
    const heard = await listen(request, options, signal)
    shown = heard === 'again' ? null : (request?.id ?? null)
    if (heard === 'leave') leave.abort()
  }
}

async function listen(
  request: PendingRequest | null,
  options: ChatOptions,
  signal: AbortSignal,
): Promise<Heard> {
  const text = await orAborted(options.lines.peek(), signal, 0)
  const heard = text === null ? 'nothing' : await hear(text, request, options)
  // A question waits for the end of the turn; at the end of all lines there is nothing to wait for.
  if (heard === 'nothing') await orAborted(sleep(LOOK_MS), signal)
  return heard
}

type Heard = 'nothing' | 'taken' | 'again' | 'leave'

/** Takes a line that is a command, or what is said of a request; leaves any other. */
async function hear(
  text: string,
  request: PendingRequest | null,
  options: ChatOptions,
): Promise<Heard> {
  if (text.startsWith('/')) {
    options.lines.take()
    return (await runChatCommand(text, options)) === 'leave' ? 'leave' : 'taken'
  }
  if (request === null) return 'nothing'
  options.lines.take()
  return (await decide(request, text, options)) ? 'taken' : 'again'
}

async function waitingFor(session: SessionHandle): Promise<PendingRequest | null> {
  try {
    return (await session.pendingApprovals())[0] ?? null
  } catch {
    // No worker at the moment: the turn waits as well.
    return null
  }
}

function showRequest(request: PendingRequest, { terminal: { out }, lines }: ChatOptions): void {
  const { kind, tool, args, text, id } = request
  if (kind === 'question') {
    line(out, `${styled(out, 'yellow', 'the agent asks')}: ${text}`)
    lines.prompt('answer> ')
    return
  }
  const why = text === '' ? '' : ` · ${text}`
  line(out, `${styled(out, 'yellow', 'waits for approval')} ${callText(tool, args)}${why}`)
  line(out, styled(out, 'dim', `  ${DECISIONS}  (${id})`))
  lines.prompt('approve? ')
}

/** False: it was not taken, and is asked for again. */
async function decide(
  { id, kind }: PendingRequest,
  text: string,
  { session, terminal: { out }, by }: ChatOptions,
): Promise<boolean> {
  try {
    if (kind === 'question') {
      await sendDecision(session, { kind: 'answer', text }, { call: id, by })
      return true
    }
    const decision = readDecision(text)
    if (decision.kind === 'unclear') {
      line(out, decision.message)
      return false
    }
    await sendDecision(session, decision, { call: id, by })
    return true
  } catch (error) {
    if (!(error instanceof SessionError)) throw error
    line(out, styled(out, 'red', error.message))
    return false
  }
}

/** Null when the signal aborts first, or the time is over. */
async function orAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  timeoutMs?: number,
): Promise<T | null> {
  const stop = new AbortController()
  const any = AbortSignal.any([signal, stop.signal])
  const aborted = new Promise<null>((resolve) => {
    if (any.aborted) resolve(null)
    any.addEventListener('abort', () => resolve(null), { once: true })
  })
  const late =
    timeoutMs === undefined ? [] : [sleep(timeoutMs, null, { signal: any }).catch(() => null)]
  try {
    return await Promise.race([promise, aborted, ...late])
  } finally {
    stop.abort()
  }
}
