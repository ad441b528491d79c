import type { AgentActivities, ToolOutcome } from '../contract/activities.js'
import type { AssistantMessage } from '../contract/messages.js'
import type { ModelReply } from '../contract/reply.js'
import type { RunResult, RunState, StopReason } from '../contract/run.js'
import { tokensOf } from '../contract/usage.js'
import { ask, endingFinish } from './ask-model.js'
import { affords, hasDeadline } from './budgets.js'
import { append, assistantMessage, lastSaid, toolMessage } from './conversation.js'
import { isMemoryDue, type MemoryEffects, shortenMemory } from './memory/index.js'
import { modelOf } from './models.js'
import { keepRests } from './rests.js'
import { runCalls } from './run-calls.js'
import { learnGrowth } from './sizes.js'
import { addRow, resultOf } from './state.js'
import { AFTER_CALLS, BEFORE_CALL } from './stop-rules/index.js'
import { REPEAT_NOTE, recordStep } from './stop-rules/repeats.js'
import { firstVerdict, type Verdict } from './stop-rules/stop-rule.js'
import { chooseStrategy, type StrategyEffects } from './strategy.js'

/** What the loop needs of the world. */
export interface LoopEffects
  extends Pick<AgentActivities, 'callModel' | 'readArtifact' | 'runTool'>,
    StrategyEffects,
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

const NUDGE = 'Your last reply was empty. Answer the question, or call a tool.'

/** Runs steps until the turn ends, a limit says stop, or the history asks to continue as new. */
export async function runTurn(state: RunState, effects: LoopEffects): Promise<TurnEnd> {
  await startTurn(state, effects)
  for (;;) {
    const before = firstVerdict(BEFORE_CALL, state, effects.now)
    if (before !== null) return endAtLimit(state, before, effects)
    // What a summary took is used up: the rules look again.
    if (isMemoryDue(state) && (await shortenMemory(state, effects, 2))) continue
    if (effects.shouldContinue()) return { kind: 'continue' }

    state.steps++
    const startedAt = effects.now()
    const reply = await ask(state, effects)
    let end: RunResult | null = null
    if (runsCalls(reply)) {
      const message = assistantMessage(reply, state.turn, state.step)
      takeOutcomes(state, { message, reply }, await runCalls(state, message, effects))
    } else {
      end = takeReply(state, reply)
    }
    const ms = effects.now() - startedAt
    learnTime(state, ms)
    const what = describeReply(state, reply)
    addRow(state, { step: state.step, what, tokens: tokensOf(reply), ms })
    effects.report(state)
    if (end !== null) return { kind: 'done', result: end }

    const after = verdictAfter(state, reply, effects.now)
    if (after !== null) return endAtLimit(state, after, effects)
  }
}

async function startTurn(state: RunState, effects: LoopEffects): Promise<void> {
  if (hasDeadline(state)) state.startedAt ??= effects.now()
  await chooseStrategy(state, effects)
}

/** What the rules say of the calls of a step, if it had any. */
function verdictAfter(state: RunState, { calls }: ModelReply, now: () => number): Verdict | null {
  return calls.length === 0 ? null : firstVerdict(AFTER_CALLS, state, now)
}

/** What the reply holds decides, before the label that it carries. */
function runsCalls(reply: ModelReply): boolean {
  return endingFinish(reply) === null && reply.calls.length > 0
}

/** Takes a reply without calls to run into the state; a result ends the turn. */
function takeReply(state: RunState, reply: ModelReply): RunResult | null {
  const ended = endingFinish(reply)
  if (ended !== null) return resultOf(state, ended, textOrLast(state, reply))
  if (reply.text.trim() !== '') {
    append(state, assistantMessage(reply, state.turn, state.step), reply.size)
    const result = resultOf(state, 'answered', reply.text)
    return reply.finish === 'length' ? { ...result, truncated: true } : result
  }
  if (state.nudged) return resultOf(state, 'empty_reply', lastSaid(state))
  state.nudged = true
  append(state, { role: 'user', kind: 'note', text: NUDGE })
  return null
}

/** Takes the calls of a step, with what came of them, into the state. */
function takeOutcomes(
  state: RunState,
  { message, reply }: { readonly message: AssistantMessage; readonly reply: ModelReply },
  outcomes: readonly ToolOutcome[],
): void {
  const finished = reply.calls.map((call, i) => ({
    call,
    tool: state.manifest.tools.find(({ name }) => name === call.name),
    text: outcomes[i]?.text ?? '',
  }))
  const notes = recordStep(state, finished)
  // The reply and all of its observations enter together: nobody ever sees an unanswered call.
  append(state, message, reply.size)
  for (const [i, { text }] of finished.entries()) {
    if (notes[i]) append(state, toolMessage(message, i + 1, text + REPEAT_NOTE))
    else append(state, toolMessage(message, i + 1, text), outcomes[i]?.size)
  }
  learnGrowth(state, 1 + outcomes.length)
  keepRests(state, outcomes)
  state.errorStreak = outcomes.every((outcome) => outcome.error) ? state.errorStreak + 1 : 0
}

/** One last model call without tools. Calls that the model makes all the same are not run. */
async function endAtLimit(
  state: RunState,
  verdict: Verdict,
  effects: LoopEffects,
): Promise<TurnEnd> {
  if (state.manifest.onLimit === 'fail') {
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

/** What the model says now; if that is nothing, what it said last. */
function textOrLast(state: RunState, { text }: ModelReply): string {
  return text.trim() === '' ? lastSaid(state) : text
}

function describeReply(state: RunState, reply: ModelReply): string {
  return `${heldBy(reply)}${byFallback(state)}`
}

/** Which model answered, where it was not the agent's first. */
function byFallback(state: RunState): string {
  return state.fallback ? ` · ${modelOf(state)}` : ''
}

function heldBy(reply: ModelReply): string {
  const ended = endingFinish(reply)
  if (ended !== null) return ended
  if (reply.calls.length === 0) return reply.text.trim() === '' ? 'empty reply' : 'answer'
  return reply.calls.map(({ name }) => name).join(', ')
}
