import type { ToolOutcome } from '../contract/activities.js'
import type { ToolManifest } from '../contract/manifest.js'
import type { AssistantMessage, ToolCall } from '../contract/messages.js'
import type { RunState } from '../contract/run.js'
import { type Answered, answerCall, type CallEffects, type PlannedCall } from './answer-call.js'
import { cached, cacheKey, invalidate, putCached } from './tool-cache.js'

/** Runs the calls of one reply. */
export function runCalls(
  state: RunState,
  reply: AssistantMessage,
  effects: CallEffects,
): Promise<ToolOutcome[]> {
  return runPlanned(state, plan(state, reply), effects)
}

/**
 * Runs calls of one reply: beside each other, but a tool (or an agent) that says `parallel: false`
 * alone. The outcomes come in call order, whatever finishes first.
 */
export async function runPlanned(
  state: RunState,
  calls: readonly PlannedCall[],
  effects: CallEffects,
): Promise<ToolOutcome[]> {
  const outcomes: ToolOutcome[] = []
  const reused: Record<string, string> = {}
  for (const batch of batches(state, calls)) {
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
    invalidateBy(state, batch)
  }
  if (Object.keys(reused).length > 0) state.reused = { ...state.reused, ...reused }
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

/** Drops what the calls made worthless, whatever came of them: a write that failed may have changed something. */
export function invalidateBy(state: RunState, calls: readonly PlannedCall[]): void {
  invalidate(
    state,
    calls.flatMap(({ tool }) => tool?.invalidates ?? []),
  )
}

/** Keeps the result of a call that ran for the next call like it. */
export function keepResult(
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

/** The calls of a reply with their tools. */
export function plan(state: RunState, { calls }: AssistantMessage): PlannedCall[] {
  return calls.map((call, i) => ({ call, place: i + 1, tool: toolOf(state, call) }))
}

function toolOf(state: RunState, call: ToolCall): ToolManifest | undefined {
  if (call.problem !== undefined) return undefined
  return state.manifest.tools.find((tool) => tool.name === call.name)
}

/** Splits the calls into batches that run one after the other. */
export function batches(state: RunState, calls: readonly PlannedCall[]): PlannedCall[][] {
  const result: PlannedCall[][] = []
  let open: PlannedCall[] | undefined
  for (const planned of calls) {
    if (!state.manifest.parallel || planned.tool?.parallel === false) {
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
