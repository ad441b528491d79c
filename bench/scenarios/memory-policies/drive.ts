// The only file of the benchmark that imports the loop itself: the client has no conversations of
// several turns yet, and what is measured here is decided by the pure part alone.
import { type LoopEffects, runTurn } from '../../../src/agent/loop.js'
import { summaryText } from '../../../src/agent/memory/window.js'
import { nextTurn } from '../../../src/agent/next-turn.js'
import { buildPrompt } from '../../../src/agent/prompt.js'
import { startState } from '../../../src/agent/state.js'
import type { CallModelInput, SummarizeInput } from '../../../src/contract/activities.js'
import type { Manifest } from '../../../src/contract/manifest.js'
import type { RunState } from '../../../src/contract/run.js'
import { messageTokens } from '../../../src/contract/tokens.js'
import type { Agent } from '../../../src/index.js'
import { loadCounter, promptTokens } from '../../count-tokens.js'
import type { ScriptedTurn } from './script.js'
import { summaryOf } from './summary.js'

/** What the model was given over a whole conversation. */
export interface Prompts {
  /** Tokens of all prompts together, those of summaries too. */
  readonly total: number
  /** Of these, what the summaries took. */
  readonly summaries: number
  /** Tokens of the last prompt. */
  readonly last: number
  /** The text of the last prompt. */
  readonly lastText: string
}

type CountTokens = Awaited<ReturnType<typeof loadCounter>>

/** Holds a conversation with an agent: the loop of the package, with a model and tools that follow the script. */
export async function converse(agent: Agent, script: readonly ScriptedTurn[]): Promise<Prompts> {
  const count = await loadCounter()
  const manifest: Manifest = {
    ...agent.manifest,
    instructions: agent.instructionsFor({}),
    heartbeatTimeoutMs: 10_000,
    searchAttributes: [],
  }
  const told = { total: 0, summaries: 0, last: 0, lastText: '' }
  let state: RunState | undefined
  for (const [i, scripted] of script.entries()) {
    const { question: input } = scripted
    const size = messageTokens({ role: 'user', text: input }, count)
    const definition = promptTokens(buildPrompt(manifest, []), count)
    const counted = { ...manifest, tokens: { definition, input: size } }
    state =
      state === undefined
        ? startState({ manifest: counted, input, context: null, origin: 'bench', turn: 1 })
        : nextTurn(state, { manifest: counted, input, turn: i + 1 })
    const end = await runTurn(state, effectsOf(state, scripted, { count, told }))
    if (end.kind !== 'done' || end.result.answer !== scripted.answer) {
      throw new Error(`turn ${i + 1} ended otherwise: ${JSON.stringify(end)}`)
    }
  }
  return told
}

type Told = { -readonly [K in keyof Prompts]: Prompts[K] }

function effectsOf(
  state: RunState,
  { calls, answer }: ScriptedTurn,
  { count, told }: { readonly count: CountTokens; readonly told: Told },
): LoopEffects {
  let asked = 0
  const ask = (input: CallModelInput) => {
    const prompt = buildPrompt(state.manifest, state.messages, input)
    told.last = promptTokens(prompt, count)
    told.total += told.last
    told.lastText = JSON.stringify(prompt.messages)
    const call = calls[asked++]
    const reply = {
      text: call ? '' : answer,
      calls: call ? [{ name: call.name, args: call.args }] : [],
    }
    const size = messageTokens({ role: 'assistant', ...reply, turn: 1, step: 1 }, count)
    return {
      ...reply,
      finish: 'stop' as const,
      size,
      tokens: { promptTokens: told.last, completionTokens: size },
    }
  }
  const summarize = ({ to, goal, maxWords }: SummarizeInput) => {
    const older = state.messages.slice(0, to).filter((_, place) => place !== goal)
    const text = summaryOf(older, maxWords)
    const read = older.reduce((sum, message) => sum + messageTokens(message, count), 0)
    told.total += read
    told.summaries += read
    const size = messageTokens({ role: 'user', text: summaryText(text) }, count)
    return { text, size, tokens: { promptTokens: read, completionTokens: count(text) } }
  }
  return {
    callModel: async (input) => ask(input),
    summarize: async (input) => summarize(input),
    runTool: async () => {
      const text = calls[asked - 1]?.result ?? ''
      return { text, size: messageTokens({ role: 'tool', id: '', text }, count) }
    },
    chooseStrategy: async () => null,
    readArtifact: async () => ({ text: '' }),
    untilDecided: async () => null,
    shouldContinue: () => false,
    now: () => 0,
    report: () => {},
  }
}
