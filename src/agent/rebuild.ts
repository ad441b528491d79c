import type { CallModelInput, ConversationReference } from '../contract/activities.js'
import type { RunState } from '../contract/run.js'
import { referenceTo } from './conversation.js'
import { type LoopEffects, runTurn } from './loop.js'
import { RebuildError } from './rebuild-error.js'
import { otherConversation, recordedEffects } from './recorded-effects.js'
import {
  beginOf,
  type ExecutionRecord,
  placeKey,
  type RunRecord,
  type StepPlace,
  stepsOf,
} from './run-record.js'
import { startState } from './state.js'

/**
 * Model calls that one round of the loop makes at most: a prompt that is too long is asked again shorter,
 * then without tools.
 */
const CALLS_OF_A_ROUND = 3

/** A model call as the loop made it. */
export interface RebuiltCall {
  /** The state as it was then: its manifest and messages are what the request was made of. */
  readonly state: RunState
  readonly input: CallModelInput
}

/**
 * The state of a run before one of its steps: the loop runs again, from what was recorded at the beginning,
 * and the record answers. `runTurn` can go on from it. It is the state in which that round of the loop began:
 * before a forced answer there is no note that asks for it, and before a request that repeats one that was
 * too long comes that one. The step after the last is a step too, where the run ended without an answer.
 *
 * @throws RebuildError when the record does not reach the step, or today's loop builds another conversation
 */
export async function rebuildState(record: RunRecord, before: StepPlace): Promise<RunState> {
  const { execution, state } = beginning(record, before)
  let found = structuredClone(state)
  const keep = () => {
    if (state.step + CALLS_OF_A_ROUND >= before.step) found = structuredClone(state)
  }
  const reached = () => state.step + 1 >= before.step
  const effects = recordedEffects(execution, state)
  const end = await play(state, {
    ...effects,
    callModel: async (input) => {
      if (input.step >= before.step) throw new Stop()
      return await effects.callModel(input)
    },
    shouldContinue: () => {
      keep()
      return reached()
    },
    report: keep,
  })
  if (end === 'done' || !reached()) throw notReached(record, before)
  if (found.step + 1 === before.step) checkState(execution, found)
  return found
}

/**
 * A model call of a run and the state at that moment, forced answers and repeated requests included:
 * `buildPrompt(state.manifest, state.messages, input)` is its prompt.
 *
 * @throws RebuildError when the record does not reach the step, or today's loop builds another conversation
 */
export async function rebuildCall(record: RunRecord, at: StepPlace): Promise<RebuiltCall> {
  const { execution, state } = beginning(record, at)
  let found: CallModelInput | undefined
  const effects = recordedEffects(execution, state)
  await play(state, {
    ...effects,
    callModel: async (input) => {
      if (input.step < at.step) return await effects.callModel(input)
      found = input
      throw new Stop()
    },
    shouldContinue: () => false,
    report: () => {},
  })
  if (found === undefined) throw notReached(record, at)
  checkCall(execution, found)
  return { state, input: found }
}

/** Thrown by an effect, out of the loop. */
class Stop extends Error {}

async function play(state: RunState, effects: LoopEffects): Promise<'done' | 'stopped'> {
  try {
    const { kind } = await runTurn(state, effects)
    return kind === 'done' ? 'done' : 'stopped'
  } catch (error) {
    if (error instanceof Stop) return 'stopped'
    throw error
  }
}

/** The newest execution that began before the step, and a state of our own that it began with. */
function beginning(
  record: RunRecord,
  { turn, step }: StepPlace,
): { readonly execution: ExecutionRecord; readonly state: RunState } {
  const execution = record.executions.findLast((one) => {
    const begin = beginOf(one)
    return begin.turn === turn && begin.step < step
  })
  if (execution === undefined) throw notReached(record, { turn, step })
  const { start } = execution
  return { execution, state: structuredClone('state' in start ? start.state : startState(start)) }
}

/** Compares the next step with what it was asked with; a forced answer was asked with a note more. */
function checkState(execution: ExecutionRecord, state: RunState): void {
  const next = referenceTo(state)
  const [call] = execution.modelCalls.get(placeKey(next)) ?? []
  if (!call?.input.forced) checkCall(execution, next)
}

function checkCall(execution: ExecutionRecord, asked: ConversationReference): void {
  const [call] = execution.modelCalls.get(placeKey(asked)) ?? []
  if (call !== undefined && call.input.digest !== asked.digest) throw otherConversation(asked)
}

function notReached(record: RunRecord, { turn, step }: StepPlace): RebuildError {
  const last = stepsOf(record).findLast((place) => place.turn === turn)?.step
  const there =
    last === undefined
      ? 'its model was never asked'
      : `the last that its model was asked for is ${last}`
  return new RebuildError(`The run did not come to step ${step} of turn ${turn}: ${there}.`)
}
