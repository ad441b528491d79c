import {
  type AgentActivities,
  NOTHING_KEPT,
  OVER_LIMIT,
  type ToolCallInput,
  type ToolOutcome,
} from '../contract/activities.js'
import { callKey } from '../contract/call-key.js'
import type { ToolManifest } from '../contract/manifest.js'
import type { ToolCall } from '../contract/messages.js'
import { errorText } from '../contract/observation.js'
import { NO_REST, pageOf, READ_MORE, readMoreArgs } from '../contract/read-more.js'
import type { RunState } from '../contract/run.js'
import { dryAnswer } from './dry-calls.js'

/** What running calls needs of the world. */
export interface CallEffects extends Pick<AgentActivities, 'readArtifact' | 'runTool'> {
  now(): number
}

/** A call with the tool that answers it; no tool when the call must not run. */
export interface PlannedCall {
  readonly call: ToolCall
  /** Its place in the reply, from 1. */
  readonly place: number
  readonly tool: ToolManifest | undefined
}

/** What comes of a call, and whose result it is when no activity runs. */
export interface Answered {
  /** A promise only where something runs: each costs the sandbox some 40 µs. */
  readonly outcome: ToolOutcome | Promise<ToolOutcome>
  readonly source?: string
}

/** For a call that a worker of another deployment took for good. */
const NO_TOOL = errorText({
  error_type: 'unknown_tool',
  message: 'There is no such tool.',
  retryable: false,
})

/** Runs one call, or says at once why it does not run. */
export function answerCall(
  state: RunState,
  { call, place, tool }: PlannedCall,
  effects: CallEffects,
): Answered {
  const at = { turn: state.turn, step: state.step, call: place }
  if (call.problem !== undefined) return { outcome: { text: call.problem, error: true } }
  if (call.name === READ_MORE) return readMore(state, call, { at, effects })
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
  return { outcome: effects.runTool(tool, { ...input, ...key }) }
}

function readMore(
  { rests }: RunState,
  call: ToolCall,
  { at, effects }: { at: { turn: number; step: number; call: number }; effects: CallEffects },
): Answered {
  const { id, page } = readMoreArgs(call.args)
  // The id is the model's: only what is there counts, not what every object has.
  const rest = rests !== undefined && Object.hasOwn(rests, id) ? rests[id] : undefined
  if (rest === undefined) {
    return { outcome: { text: NO_REST, error: true }, source: NOTHING_KEPT }
  }
  const { text, artifact: key, chars } = rest
  if (key === undefined) return { outcome: pageOf({ text: text ?? '', chars }, page) }
  return { outcome: effects.readArtifact({ ...at, key, chars, page }) }
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
