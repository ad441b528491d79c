import type { Limits } from '../contract/manifest.js'
import { callId, type Message } from '../contract/messages.js'
import { observationText } from '../contract/observation-text.js'
import type { RunState } from '../contract/run.js'
import { estimateTokens } from '../contract/tokens.js'
import { userMessage } from './conversation.js'
import { digestOf } from './digest.js'
import { goalOf } from './memory/places.js'
import { estimatedSize, sizesOf } from './sizes.js'
import { AFTER_CALLS } from './stop-rules/index.js'
import { firstVerdict } from './stop-rules/stop-rule.js'

/** What a fork has otherwise than the run that it comes from. */
export interface ForkChanges {
  /** The first model; fallback models stay. */
  readonly model?: string
  readonly instructions?: string
  /** What the user asked. */
  readonly input?: string
  /** Texts in the place of what calls got, by `step.call`, such as `2.1`. */
  readonly observations?: Readonly<Record<string, string>>
  /** Those that are named; the others stay. A deadline counts from the beginning of the fork. */
  readonly limits?: Partial<Limits>
}

/**
 * Changes a state that a fork will begin with.
 *
 * @param searchAttributes those that the namespace has now: one that it has lost would fail the fork for ever
 * @returns the places of observations that the conversation does not have; nothing is to be done with the
 *   state then
 */
export function applyChanges(
  state: RunState,
  changes: ForkChanges,
  searchAttributes: readonly string[],
): readonly string[] {
  const { model, instructions, input, observations = {}, limits = {} } = changes
  const missing = Object.entries(observations).flatMap(([place, text]) =>
    putObservation(state, place, text) ? [] : [place],
  )
  if (input !== undefined) putMessage(state, goalOf(state.messages), userMessage(input))
  const { manifest } = state
  const fallbackModels = manifest.fallbackModels?.filter((name) => name !== model)
  const changed = {
    ...manifest,
    ...(fallbackModels === undefined ? {} : { fallbackModels }),
    ...(model === undefined ? {} : { model }),
    ...(instructions === undefined ? {} : recounted(state, instructions)),
    limits: { ...manifest.limits, ...limits },
    searchAttributes,
  }
  Object.assign(state, { manifest: changed } satisfies Partial<RunState>)
  state.digest = digestOf(state.manifest, state.messages)
  delete state.startedAt
  if (model !== undefined) {
    delete state.fallback
    // What was learnt of another model's way to count.
    delete state.tokenFactor
  }
  forgive(state)
  return missing
}

/** The places `step.call` of the observations that a state has, with the names of their tools. */
export function observationsOf(state: RunState): { place: string; tool: string }[] {
  const there = new Set(state.messages.flatMap((one) => (one.role === 'tool' ? [one.id] : [])))
  return state.messages.flatMap((message) => {
    if (message.role !== 'assistant') return []
    const { turn, step, calls } = message
    return calls.flatMap(({ name }, i) =>
      there.has(callId(turn, step, i + 1)) ? [{ place: `${step}.${i + 1}`, tool: name }] : [],
    )
  })
}

/** A rule that has fired would fire again at the next step, whatever the fork does otherwise. */
function forgive(state: RunState): void {
  if (firstVerdict(AFTER_CALLS, state, () => 0) === null) return
  state.recentCalls = []
  state.recentSteps = []
  state.repeating = false
  state.errorStreak = 0
}

function putObservation(state: RunState, place: string, given: string): boolean {
  const [step = 0, call = 0] = place.split('.').map(Number)
  if (!/^\d+\.\d+$/.test(place)) return false
  const id = callId(state.turn, step, call)
  const at = state.messages.findIndex((message) => message.role === 'tool' && message.id === id)
  if (at < 0) return false
  const text = observationText(given)
  putMessage(state, at, { role: 'tool', id, text })
  const { [id]: _, ...rests } = state.rests ?? {}
  if (state.rests !== undefined) state.rests = rests
  const source = `${state.turn}.${place}`
  if (state.cache !== undefined) {
    state.cache = Object.fromEntries(
      Object.entries(state.cache).filter(([, cached]) => cached.source !== source),
    )
  }
  return true
}

function putMessage(state: RunState, at: number, message: Message): void {
  if (at < 0) return
  sizesOf(state)[at] = estimatedSize(message)
  state.messages[at] = message
}

function recounted({ manifest }: RunState, instructions: string) {
  const { tokens } = manifest
  if (tokens === undefined) return { instructions }
  const more = estimateTokens(instructions) - estimateTokens(manifest.instructions)
  return { instructions, tokens: { ...tokens, definition: Math.max(0, tokens.definition + more) } }
}
