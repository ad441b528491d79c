import type { AgentActivities } from '../contract/activities.js'
import type { Finish, ModelReply } from '../contract/reply.js'
import type { RunResult, RunState, StopReason } from '../contract/run.js'
import { addUsage, tokensOf } from '../contract/usage.js'
import { affords, countEstimate } from './budgets.js'
import { append, assistantMessage, lastSaid, referenceTo, toolMessage } from './conversation.js'
import { isMemoryDue, type MemoryEffects, shortenMemory, shortenRefused } from './memory/index.js'
import { countReply, modelOf } from './models.js'
import { hasRests, keepRests } from './rests.js'
import { runCalls } from './run-calls.js'
import { learnFactor, learnGrowth, promptTokens } from './sizes.js'
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
    const end = runsCalls(reply) ? await runStep(state, reply, effects) : takeReply(state, reply)
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

/** Asks the model. A prompt that it finds too long is shortened once; there is no third request. */
async function ask(state: RunState, effects: LoopEffects, forced = false): Promise<ModelReply> {
  const reply = await callModel(state, effects, forced)
  if (reply.finish !== 'context_length') return reply
  if (shortenRefused(state)) return await callModel(state, effects, forced)
  const { memory, tools } = state.manifest
  if (memory === undefined || forced || tools.length === 0) return reply
  // Nothing can be left out but the tools: whatever it says then is the last word.
  const last = await callModel(state, effects, true)
  return { ...last, finish: endingFinish(last) ?? 'context_length' }
}

async function callModel(
  state: RunState,
  effects: LoopEffects,
  forced = false,
): Promise<ModelReply> {
  const reference = referenceTo(state)
  const startedAt = hasDeadline(state) ? effects.now() : 0
  state.step++
  const reply = await effects.callModel({
    ...reference,
    ...(forced ? { forced: true } : {}),
    ...(state.strategy ? { strategy: state.strategy } : {}),
    ...(hasRests(state) && !forced ? { readMore: true } : {}),
    ...(state.reused === undefined ? {} : { reused: state.reused }),
  })
  delete state.reused
  if (hasDeadline(state)) {
    state.longestCallMs = Math.max(state.longestCallMs ?? 0, effects.now() - startedAt)
  }
  if (reply.tokens !== null) {
    state.longestReply = Math.max(state.longestReply ?? 0, reply.tokens.completionTokens)
  } else if (reply.finish !== 'context_length') {
    const taken = { promptTokens: promptTokens(state), completionTokens: reply.size ?? 0 }
    countEstimate(state, modelOf(state), taken)
  }
  state.usage = addUsage(state.usage, reply)
  countReply(state, reply)
  if (!forced) learnFactor(state, reply.tokens)
  return reply
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

async function runStep(state: RunState, reply: ModelReply, effects: LoopEffects): Promise<null> {
  const message = assistantMessage(reply, state.turn, state.step)
  const outcomes = await runCalls(state, message, effects)
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
  return null
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

/** The clock is looked at for a deadline alone. */
function hasDeadline({ manifest }: RunState): boolean {
  return manifest.limits.deadlineMs !== undefined
}

function learnTime(state: RunState, stepMs: number): void {
  if (hasDeadline(state)) state.longestStepMs = Math.max(state.longestStepMs ?? 0, stepMs)
}

/** A refused or filtered last answer keeps that reason: the caller must not take the text for an answer. */
function forcedReason(verdict: Verdict, reply: ModelReply): StopReason {
  return endingFinish(reply) ?? verdict.reason
}

/** The finish of a reply that ends the turn whatever it holds; its calls are not run. */
function endingFinish({ finish }: ModelReply): Exclude<Finish, 'stop' | 'length'> | null {
  return finish === 'stop' || finish === 'length' ? null : finish
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
