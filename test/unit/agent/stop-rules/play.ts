import { runTurn } from '../../../../src/agent/loop.js'
import { REPEAT_NOTE } from '../../../../src/agent/stop-rules/repeats.js'
import type { JsonObject } from '../../../../src/contract/json.js'
import { callId } from '../../../../src/contract/messages.js'
import { stateOf, toolOf } from '../manifests.js'
import { asks, call, says, scriptedEffects } from '../scripted-effects.js'

/** What a call does in a played turn. */
export interface Play {
  /** @default the same for each call of a letter */
  readonly args?: (letter: string, step: number) => JsonObject
  /** The observation. @default the letter, so that equal calls have equal results */
  readonly result?: (letter: string, step: number, call: number) => string
}

/** How a played turn went. */
export interface Played {
  readonly reason: string
  readonly modelCalls: number
  /** Places, as `step.call`, of the observations that carry the repeat note. */
  readonly notes: readonly string[]
}

const TOOLS = [
  ...['A', 'B', 'C', 'D'].map((name) => toolOf(name)),
  toolOf('P', { polling: true }),
  toolOf('V', { volatileFields: ['at'] }),
]

/**
 * Plays a turn in which each word is a step and each letter one of its calls; a small letter is a call
 * that fails. After the last word the model answers.
 */
export async function play(
  words: readonly string[],
  { args = () => ({}), result = (letter) => letter }: Play = {},
): Promise<Played> {
  const state = stateOf({ maxSteps: 50, tools: TOOLS })
  const effects = scriptedEffects({
    replies: ({ step, forced }) => {
      const word = words[step - 1]
      if (forced || word === undefined) return says('Done.')
      return asks(...[...word].map((letter) => call(letter.toUpperCase(), args(letter, step))))
    },
    runTool: (_tool, { step, call: place }) => {
      const letter = words[step - 1]?.[place - 1] ?? ''
      const text = result(letter, step, place)
      return letter === letter.toUpperCase() ? { text } : { text, error: true }
    },
  })
  const end = await runTurn(state, effects)
  if (end.kind !== 'done') throw new Error(`The turn ended with ${end.kind}.`)
  const noted = new Set(
    state.messages.flatMap((message) =>
      message.role === 'tool' && message.text.endsWith(REPEAT_NOTE) ? [message.id] : [],
    ),
  )
  const places = words.flatMap((word, s) => [...word].map((_, c) => [s + 1, c + 1] as const))
  return {
    reason: end.result.stopReason,
    modelCalls: effects.modelCalls.length,
    notes: places.flatMap(([s, c]) => (noted.has(callId(1, s, c)) ? [`${s}.${c}`] : [])),
  }
}
