import {
  type AgentActivities,
  NOTHING_KEPT,
  OVER_LIMIT,
  type ToolCallInput,
  type ToolOutcome,
} from '../contract/activities.js'
import { callKey } from '../contract/call-key.js'
import type { ToolManifest } from '../contract/manifest.js'
import type { AssistantMessage, ToolCall } from '../contract/messages.js'
import { errorText } from '../contract/observation.js'
import { NO_REST, pageOf, READ_MORE, readMoreArgs } from '../contract/read-more.js'
import type { RunState } from '../contract/run.js'
import { dryAnswer } from './dry-calls.js'
import { cached, cacheKey, invalidate, putCached } from './tool-cache.js'

/** What running calls needs of the world. */
export interface CallEffects extends Pick<AgentActivities, 'readArtifact' | 'runTool'> {
  now(): number
}

/** A call with the tool that answers it; no tool when the call must not run. */
interface PlannedCall {
  readonly call: ToolCall
  readonly place: number
  readonly tool: ToolManifest | undefined
}

/** What came of a call, and whose result it is when no activity ran. */
interface Answered {
  readonly outcome: ToolOutcome
  readonly source?: string
}

/** For a call that a worker of another deployment took for good. */
const NO_TOOL = errorText({
  error_type: 'unknown_tool',
  message: 'There is no such tool.',
  retryable: false,
})

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
    const answers = await runBatch(state, batch, effects)
    for (const [i, { outcome, source }] of answers.entries()) {
      outcomes.push(outcome)
      if (source !== undefined) reused[`${batch[i]?.place}`] = source
    }
  }
  if (Object.keys(reused).length > 0) state.reused = reused
  return outcomes
}

async function runBatch(
  state: RunState,
  batch: readonly PlannedCall[],
  effects: CallEffects,
): Promise<Answered[]> {
  const answers = await answerAll(state, batch, effects)
  for (const [i, { call, place, tool }] of batch.entries()) {
    const { outcome, source } = answers[i] ?? {}
    if (tool?.cache === undefined || outcome === undefined || outcome.error || source) continue
    putCached(state, cacheKey(call, tool), {
      tool: call.name,
      text: outcome.text,
      ...(outcome.size === undefined ? {} : { size: outcome.size }),
      turn: state.turn,
      at: effects.now(),
      source: placeOf(state, place),
    })
  }
  // Whatever came of it: a write that failed may have changed something.
  invalidate(
    state,
    batch.flatMap(({ tool }) => tool?.invalidates ?? []),
  )
  return answers
}

function answerAll(
  state: RunState,
  batch: readonly PlannedCall[],
  effects: CallEffects,
): Promise<Answered[]> {
  // Two of the same cacheable call beside each other are one.
  const running = new Map<string, { readonly place: number; readonly answer: Promise<Answered> }>()
  return allOf(
    batch.map((planned) => {
      const { call, place, tool } = planned
      if (tool?.cache === undefined) return answer(state, planned, effects)
      const key = cacheKey(call, tool)
      const twin = running.get(key)
      if (twin !== undefined) return asReused(twin.answer, placeOf(state, twin.place))
      const found = cached(state, key, tool, effects.now())
      if (found !== null) return Promise.resolve(reusedResult(found))
      const own = answer(state, planned, effects)
      running.set(key, { place, answer: own })
      return own
    }),
  )
}

/** Promise.all, but for the one call that most steps have: each promise costs the sandbox some 40 µs. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const [only] = promises
  if (only !== undefined && promises.length === 1) return [await only]
  return await Promise.all(promises)
}

async function answer(
  state: RunState,
  { call, place, tool }: PlannedCall,
  effects: CallEffects,
): Promise<Answered> {
  const at = { turn: state.turn, step: state.step, call: place }
  if (call.problem !== undefined) return { outcome: { text: call.problem, error: true } }
  if (call.name === READ_MORE) return await readMore(state, call, { at, effects })
  if (tool === undefined) return { outcome: { text: NO_TOOL, error: true } }
  if (!countCall(state, tool)) {
    return { outcome: { text: overLimit(tool), error: true }, source: OVER_LIMIT }
  }
  const dry = dryAnswer(state, call, tool)
  if (dry !== null) return dry
  const input: ToolCallInput = {
    ...at,
    args: call.args,
    context: state.context,
    origin: state.origin,
    ...(state.manifest.readMore && !tool.remote ? { keepRest: true } : {}),
  }
  const key = call.hash === undefined ? {} : { idempotencyKey: callKey(input, call.hash) }
  return { outcome: await effects.runTool(tool, { ...input, ...key }) }
}

async function readMore(
  { rests }: RunState,
  call: ToolCall,
  { at, effects }: { at: { turn: number; step: number; call: number }; effects: CallEffects },
): Promise<Answered> {
  const { id, page } = readMoreArgs(call.args)
  // The id is the model's: only what is there counts, not what every object has.
  const rest = rests !== undefined && Object.hasOwn(rests, id) ? rests[id] : undefined
  if (rest === undefined) {
    return { outcome: { text: NO_REST, error: true }, source: NOTHING_KEPT }
  }
  const { text, artifact: key, chars } = rest
  const outcome =
    key === undefined
      ? pageOf({ text: text ?? '', chars }, page)
      : await effects.readArtifact({ ...at, key, chars, page })
  return { outcome }
}

/** Counts a call of a tool that has a limit; false when it would be one too many. */
function countCall(state: RunState, { name, maxCalls }: ToolManifest): boolean {
  if (maxCalls === undefined) return true
  const counts = new Map(Object.entries(state.callCounts ?? {}))
  const made = counts.get(name) ?? 0
  if (made >= maxCalls) return false
  state.callCounts = Object.fromEntries(counts.set(name, made + 1))
  return true
}

function overLimit({ name, maxCalls }: ToolManifest): string {
  const message = `${name} may be called ${maxCalls} times in one turn, and was. It was not run: go on without it.`
  return errorText({ error_type: 'call_limit', message, retryable: false })
}

function placeOf({ turn, step }: RunState, place: number): string {
  return `${turn}.${step}.${place}`
}

function reusedResult({ text, size, source }: NonNullable<ReturnType<typeof cached>>): Answered {
  return { outcome: size === undefined ? { text } : { text, size }, source }
}

async function asReused(twin: Promise<Answered>, place: string): Promise<Answered> {
  const { outcome, source = place } = await twin
  const { text, size, error } = outcome
  return {
    outcome: {
      text,
      ...(size === undefined ? {} : { size }),
      ...(error ? { error } : {}),
    },
    source,
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
