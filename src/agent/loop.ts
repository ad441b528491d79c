import type { AgentActivities } from '../contract/activities.js'
import type { ModelReply } from '../contract/reply.js'
import type { OpenStep } from '../contract/requests.js'
import type { RunResult, RunState, StopReason } from '../contract/run.js'
import { tokensOf } from '../contract/usage.js'
import { ask, endingFinish } from './ask-model.js'
import { affords, hasDeadline } from './budgets.js'
import { append, assistantMessage, lastSaid, takeSteering } from './conversation.js'
import { isMemoryDue, type MemoryEffects, shortenMemory } from './memory/index.js'
import { type DecisionEffects, openStep, runOpenStep, type StepFigures } from './open-step.js'
import { runCalls } from './run-calls.js'
import { addRow, resultOf } from './state.js'
import { AFTER_CALLS, BEFORE_CALL } from './stop-rules/index.js'
import { firstVerdict, type Verdict } from './stop-rules/stop-rule.js'
import { chooseStrategy, type StrategyEffects } from './strategy.js'
import {
  byFallback,
  describeReply,
  runsCalls,
  takeOutcomes,
  takeReply,
  textOrLast,
} from './take-reply.js'

/** What the loop needs of the world. */
export interface LoopEffects
  extends Pick<AgentActivities, 'callModel' | 'readArtifact' | 'runTool'>,
    StrategyEffects,
    DecisionEffects,
    MemoryEffects {
  /** **Contract:** the time in milliseconds; the same on replay. */
  now(): number
  /** **Contract:** true when the history is long enough to continue as new at this step boundary. */
  shouldContinue(): boolean
  /** **Contract:** shows the state to a person; called after each step; must not throw. */
  report(state: RunState): void
}

/** How a stretch of the loop ends. */
export type TurnEnd =
  | { readonly kind: 'done'; readonly result: RunResult }
  | { readonly kind: 'limit'; readonly verdict: Verdict; readonly partial: RunResult }
  | { readonly kind: 'continue' }

/** Runs steps until the turn ends, a limit says stop, or the history asks to continue as new. */
export async function runTurn(state: RunState, effects: LoopEffects): Promise<TurnEnd> {
  await startTurn(state, effects)
  const opened = state.open && (await finishOpenStep(state, state.open, effects))
  if (opened) return opened
  for (;;) {
    takeSteering(state)
    const before = firstVerdict(BEFORE_CALL, state, effects.now)
    if (before !== null) return endAtLimit(state, before, effects)
    // What a summary took is used up: the rules look again.
    if (isMemoryDue(state) && (await shortenMemory(state, effects, 2))) continue
    if (effects.shouldContinue()) return { kind: 'continue' }

    state.steps++
    const startedAt = effects.now()
    const reply = await ask(state, effects)
    const end = await finishStep(state, { reply, startedAt }, effects)
    if (end !== null) return end
  }
}

/** Does what a reply asks for; null when the turn goes on after it. Not async: it would be two promises more. */
function finishStep(
  state: RunState,
  { reply, startedAt }: { readonly reply: ModelReply; readonly startedAt: number },
  effects: LoopEffects,
): Promise<TurnEnd | null> | TurnEnd | null {
  const figures = { what: describeReply(state, reply), tokens: tokensOf(reply), startedAt }
  if (!runsCalls(reply)) {
    const result = takeReply(state, reply)
    closeStep(state, figures, effects)
    return result === null ? null : { kind: 'done', result }
  }
  const message = assistantMessage(reply, state.turn, state.step)
  const asked = { message, size: reply.size }
  const open = openStep(state, asked, figures, effects.now)
  if (open !== null) return finishOpenStep(state, open, effects)
  return runCalls(state, message, effects).then((outcomes) => {
    takeOutcomes(state, asked, outcomes)
    closeStep(state, figures, effects)
    return endAfterCalls(state, effects)
  })
}

/** Goes on with a step that waits for people; null when the turn goes on after it. */
async function finishOpenStep(
  state: RunState,
  open: OpenStep,
  effects: LoopEffects,
): Promise<TurnEnd | null> {
  effects.report(state)
  const outcomes = await runOpenStep(state, open, effects)
  if (outcomes === null) return { kind: 'continue' }
  delete state.open
  takeOutcomes(state, open, outcomes)
  const { what, tokens } = open
  addRow(state, { step: state.step, what, tokens, ms: effects.now() - open.startedAt })
  effects.report(state)
  return await endAfterCalls(state, effects)
}

function closeStep(
  state: RunState,
  { what, tokens, startedAt }: StepFigures,
  effects: LoopEffects,
): void {
  const ms = effects.now() - startedAt
  learnTime(state, ms)
  addRow(state, { step: state.step, what, tokens, ms })
  effects.report(state)
}

function endAfterCalls(state: RunState, effects: LoopEffects): Promise<TurnEnd> | null {
  const verdict = firstVerdict(AFTER_CALLS, state, effects.now)
  return verdict === null ? null : endAtLimit(state, verdict, effects)
}

async function startTurn(state: RunState, effects: LoopEffects): Promise<void> {
  if (hasDeadline(state)) state.startedAt ??= effects.now()
  await chooseStrategy(state, effects)
}

/** One last model call without tools. Calls that the model makes all the same are not run. */
async function endAtLimit(
  state: RunState,
  verdict: Verdict,
  effects: LoopEffects,
): Promise<TurnEnd> {
  // The user's own wish is no failure.
  if (state.manifest.onLimit === 'fail' && verdict.reason !== 'interrupted') {
    const partial = resultOf(state, verdict.reason, lastSaid(state))
    return { kind: 'limit', verdict, partial }
  }
  if (!affords(state, effects.now, { calls: 1 })) {
    const result = resultOf(state, verdict.reason, lastSaid(state))
    return { kind: 'done', result }
  }
  const startedAt = effects.now()
  append(state, {
    role: 'user',
    kind: 'note',
    text: `${verdict.message} Answer now from what you have, without calling tools. Say what is missing.`,
  })
  await shortenMemory(state, effects, 1)
  const reply = await ask(state, effects, true)
  const answer = textOrLast(state, reply)
  addRow(state, {
    step: state.step,
    what: `forced answer (${verdict.reason})${byFallback(state)}`,
    tokens: tokensOf(reply),
    ms: effects.now() - startedAt,
  })
  effects.report(state)
  return { kind: 'done', result: resultOf(state, forcedReason(verdict, reply), answer) }
}

function learnTime(state: RunState, stepMs: number): void {
  if (hasDeadline(state)) state.longestStepMs = Math.max(state.longestStepMs ?? 0, stepMs)
}

/** A refused or filtered last answer keeps that reason: the caller must not take the text for an answer. */
function forcedReason(verdict: Verdict, reply: ModelReply): StopReason {
  return endingFinish(reply) ?? verdict.reason
}
