import type { ToolOutcome } from '../contract/activities.js'
import type { ToolManifest } from '../contract/manifest.js'
import type { AssistantMessage, ToolCall } from '../contract/messages.js'
import type { RunState } from '../contract/run.js'
import { type Answered, answerCall, type CallEffects, type PlannedCall } from './answer-call.js'
import { cached, cacheKey, invalidate, putCached } from './tool-cache.js'

/**
 * Runs the calls of one reply: beside each other, but a tool (or an agent) that says `parallel: false`
 * alone. The outcomes come in call order, whatever finishes first.
 */
export async function runCalls(
  state: RunState,
  reply: AssistantMessage,
  effects: CallEffects,
): Promise<ToolOutcome[]> {
  const outcomes: ToolOutcome[] = []
  const reused: Record<string, string> = {}
  for (const batch of batches(state, reply.calls)) {
    const answers = startBatch(state, batch, effects)
    const [only] = answers
    // Promise.all, but for the one call that most steps have: a promise less.
    const done =
      only !== undefined && answers.length === 1
        ? [await only.outcome]
        : await Promise.all(answers.map(({ outcome }) => outcome))
    outcomes.push(...done)
    for (const [i, planned] of batch.entries()) {
      const source = answers[i]?.source
      const outcome = done[i]
      if (source !== undefined) reused[`${planned.place}`] = source
      else if (outcome !== undefined) keepResult(state, planned, outcome, effects.now)
    }
    // Whatever came of it: a write that failed may have changed something.
    invalidate(
      state,
      batch.flatMap(({ tool }) => tool?.invalidates ?? []),
    )
  }
  if (Object.keys(reused).length > 0) state.reused = reused
  return outcomes
}

function startBatch(
  state: RunState,
  batch: readonly PlannedCall[],
  effects: CallEffects,
): Answered[] {
  // Two of the same cacheable call beside each other are one.
  const running = new Map<string, { readonly place: number; readonly answer: Answered }>()
  return batch.map((planned) => {
    const { call, place, tool } = planned
    if (tool?.cache === undefined) return answerCall(state, planned, effects)
    const key = cacheKey(call, tool)
    const twin = running.get(key)
    if (twin !== undefined) return asReused(twin.answer, placeOf(state, twin.place))
    const found = cached(state, key, tool, effects.now())
    if (found !== null) return { outcome: bare(found), source: found.source }
    const answer = answerCall(state, planned, effects)
    running.set(key, { place, answer })
    return answer
  })
}

/** Keeps the result of a call that ran for the next call like it. */
function keepResult(
  state: RunState,
  { call, place, tool }: PlannedCall,
  outcome: ToolOutcome,
  now: () => number,
): void {
  if (tool?.cache === undefined || outcome.error) return
  putCached(state, cacheKey(call, tool), {
    tool: call.name,
    ...bare(outcome),
    turn: state.turn,
    at: now(),
    source: placeOf(state, place),
  })
}

function placeOf({ turn, step }: RunState, place: number): string {
  return `${turn}.${step}.${place}`
}

function asReused({ outcome, source }: Answered, place: string): Answered {
  return {
    outcome: outcome instanceof Promise ? outcome.then(bare) : bare(outcome),
    source: source ?? place,
  }
}

/** What a call says, without what its own activity tells of itself. */
function bare({ text, size, error }: Pick<ToolOutcome, 'text' | 'size' | 'error'>): ToolOutcome {
  return {
    text,
    ...(size === undefined ? {} : { size }),
    ...(error ? { error } : {}),
  }
}

/** Splits the calls into batches that run one after the other. */
function batches(state: RunState, calls: readonly ToolCall[]): PlannedCall[][] {
  const result: PlannedCall[][] = []
  let open: PlannedCall[] | undefined
  for (const [index, call] of calls.entries()) {
    const tool = toolOf(state, call)
    const planned = { call, place: index + 1, tool }
    if (!state.manifest.parallel || tool?.parallel === false) {
      result.push([planned])
      open = undefined
    } else if (open === undefined) {
      open = [planned]
      result.push(open)
    } else {
      open.push(planned)
    }
  }
  return result
}

function toolOf(state: RunState, call: ToolCall): ToolManifest | undefined {
  if (call.problem !== undefined) return undefined
  return state.manifest.tools.find((tool) => tool.name === call.name)
}
