import type { AgentActivities, CallModelInput } from '../contract/activities.js'
import type { Finish, ModelReply } from '../contract/reply.js'
import type { RunState } from '../contract/run.js'
import { addUsage } from '../contract/usage.js'
import { countEstimate, hasDeadline } from './budgets.js'
import { referenceTo } from './conversation.js'
import { shortenRefused } from './memory/index.js'
import { countReply, modelOf } from './models.js'
import { hasRests } from './rests.js'
import { learnFactor, promptTokens } from './sizes.js'

/** What asking the model needs of the world. */
export interface AskEffects extends Pick<AgentActivities, 'callModel'> {
  now(): number
}

/**
 * Asks the model. A prompt that it finds too long is shortened once; there is no third request. Not async:
 * most replies need no second request, and each such function costs the sandbox two promises.
 */
export function ask(state: RunState, effects: AskEffects, forced = false): Promise<ModelReply> {
  const { input, startedAt } = beginCall(state, effects, forced)
  return effects.callModel(input).then((reply) => {
    takeReply(state, reply, { effects, startedAt, forced })
    return reply.finish === 'context_length' ? askShorter(state, reply, effects, forced) : reply
  })
}

async function askShorter(
  state: RunState,
  refused: ModelReply,
  effects: AskEffects,
  forced: boolean,
): Promise<ModelReply> {
  if (shortenRefused(state)) return await askOnce(state, effects, forced)
  const { memory, tools } = state.manifest
  if (memory === undefined || forced || tools.length === 0) return refused
  // Nothing can be left out but the tools: whatever it says then is the last word.
  const last = await askOnce(state, effects, true)
  return { ...last, finish: endingFinish(last) ?? 'context_length' }
}

async function askOnce(state: RunState, effects: AskEffects, forced: boolean): Promise<ModelReply> {
  const { input, startedAt } = beginCall(state, effects, forced)
  const reply = await effects.callModel(input)
  takeReply(state, reply, { effects, startedAt, forced })
  return reply
}

function beginCall(
  state: RunState,
  effects: AskEffects,
  forced: boolean,
): { readonly input: CallModelInput; readonly startedAt: number } {
  const reference = referenceTo(state)
  const startedAt = hasDeadline(state) ? effects.now() : 0
  state.step++
  const input = {
    ...reference,
    ...(forced ? ({ forced: true } as const) : {}),
    ...(state.strategy ? { strategy: state.strategy } : {}),
    ...(hasRests(state) && !forced ? ({ readMore: true } as const) : {}),
    ...(state.reused === undefined ? {} : { reused: state.reused }),
    ...(state.decided === undefined ? {} : { decided: state.decided }),
  }
  delete state.reused
  delete state.decided
  return { input, startedAt }
}

/** Counts what a reply took. */
function takeReply(
  state: RunState,
  reply: ModelReply,
  { effects, startedAt, forced }: { effects: AskEffects; startedAt: number; forced: boolean },
): void {
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
}

/** The finish of a reply that ends the turn whatever it holds; its calls are not run. */
export function endingFinish({ finish }: ModelReply): Exclude<Finish, 'stop' | 'length'> | null {
  return finish === 'stop' || finish === 'length' ? null : finish
}
