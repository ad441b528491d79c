import {
  ApplicationFailure,
  isCancellation,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import { runTurn, type TurnEnd } from '../agent/loop.js'
import { currentDetails } from '../agent/render.js'
import { startState } from '../agent/state.js'
import { FAILURE, type LimitFailureDetail } from '../contract/failures.js'
import type { JsonObject } from '../contract/json.js'
import type { RunResult, RunState } from '../contract/run.js'
import { activitiesOf, prepareTurn } from './effects.js'
import { handlePeople } from './person-handlers.js'
import { answerPrompt, progressOf, promptQuery, statusQuery } from './queries.js'
import { upsertEnd, upsertStart } from './search-attributes.js'

/** What `runAgent` starts from. */
export interface AgentInput {
  /** The user's message. */
  readonly input: string
  /** Who is asking; checked by the agent's `context` schema. @default none */
  readonly context?: JsonObject | null
}

/** The turns of this execution; the sandbox gives each workflow its own copy of this module. */
const turns = new Map<number, RunState | null>()
let begun = 0

/**
 * Runs one agent to its end inside a workflow of your own, on the activities of a perdure worker that
 * polls the same task queue. The history grows with the run: a workflow that runs many agents should
 * continue as new between them, or start each as a child workflow of type `agent`.
 *
 * @param agent the name of an agent of the worker
 * @throws ApplicationFailure of type `AgentRunError` or `AgentLimitError` when the run ends without a result
 */
export async function runAgent(agent: string, { input, context }: AgentInput): Promise<RunResult> {
  const state = await beginTurn(agent, input, context ?? null)
  const end = await runState(state, () => false)
  if (end.kind === 'done') return end.result
  throw new Error('unreachable: the loop continues as new only when it is told to')
}

/** Pins the agent's definition for a turn and makes the state before its first step. */
export async function beginTurn(
  agent: string,
  input: string,
  context: JsonObject | null,
): Promise<RunState> {
  begun++
  const turn = begun
  // Taken before the first await, so that two agents begun at once get turns of their own.
  turns.set(turn, null)
  const manifest = await prepareTurn({ agent, turn, input, context })
  const origin = workflowInfo().firstExecutionRunId
  const state = startState({ manifest, input, context, origin, turn })
  upsertStart(state)
  return state
}

/** Runs the only turn of an execution, or one of several beside each other. */
export async function runState(
  state: RunState,
  shouldContinue: () => boolean,
): Promise<Exclude<TurnEnd, { kind: 'limit' }>> {
  handlePeople(() => turns.values())
  return await playTurn(state, shouldContinue)
}

/** Runs a state until it is done or should continue as new; every other end is thrown. */
export async function playTurn(
  state: RunState,
  shouldContinue: () => boolean,
): Promise<Exclude<TurnEnd, { kind: 'limit' }>> {
  turns.set(state.turn, state)
  setHandler(promptQuery, (request) => answerPrompt(turns.get(request.turn) ?? null, request))
  setHandler(statusQuery, () => progressOf(state))
  report(state)
  try {
    const end = await runTurn(state, {
      ...activitiesOf(state, shouldContinue),
      now: () => Date.now(),
      shouldContinue,
      report,
    })
    if (end.kind === 'limit') throw limitFailure(end)
    if (end.kind === 'done') finish(state, end.result.stopReason, end.result.answer)
    return end
  } catch (error) {
    finish(state, failureReason(error), '')
    throw error
  } finally {
    // A session has any number of turns; while one runs nobody asks for the prompt of another.
    turns.delete(state.turn)
  }
}

function report(state: RunState): void {
  setCurrentDetails(currentDetails(state, null))
}

function finish(state: RunState, reason: string, answer: string): void {
  setCurrentDetails(currentDetails(state, { reason, answer }))
  upsertEnd(state, reason)
}

function limitFailure({ verdict, partial }: Extract<TurnEnd, { kind: 'limit' }>): Error {
  const detail: LimitFailureDetail = { reason: verdict.reason, partial }
  return ApplicationFailure.create({
    type: FAILURE.limit,
    message: `${verdict.reason}: ${verdict.message}`,
    nonRetryable: true,
    details: [detail],
  })
}

function failureReason(error: unknown): string {
  if (isCancellation(error)) return 'cancelled'
  const detail = error instanceof ApplicationFailure ? error.details?.[0] : undefined
  return (detail as { reason?: string } | undefined)?.reason ?? 'failed'
}
