import type { Model, RawReply } from '../../../src/worker.js'
import { loadCounter, promptTokens } from '../../count-tokens.js'
import { nextPages } from '../../page-list.js'
import { notes } from '../../worker-notes.js'
import { INSTRUCTIONS, type NextMove, nextMove, nextMoveOfPart } from '../../workload.js'

type Prompt = Parameters<Model['complete']>[0]

/** A model that takes no time: in this process, without HTTP. Its prompts must be whole. */
export const zeroLatencyModel: Model = {
  complete: async (prompt) => reply(prompt, nextMove, 1_000),
}

/**
 * The same for agents whose conversation is kept short: it writes their summaries, and counts the tokens of
 * each prompt as a provider would.
 */
export const countingModel: Model = {
  complete: async (prompt) => {
    const tokens = promptTokens(prompt, await loadCounter())
    notes.largestPrompt = Math.max(notes.largestPrompt, tokens)
    return prompt.instructions === INSTRUCTIONS
      ? reply(prompt, nextMoveOfPart, tokens)
      : says(summary(), tokens)
  },
}

/** A summary as long as it may be: what a page says, in a hundred words. */
function summary(): string {
  const fact = 'Each page that was read says that the quick brown fox jumps over the lazy dog.'
  return Array.from({ length: 6 }, () => fact).join(' ')
}

function reply(
  { messages }: Prompt,
  next: (question: string, observations: readonly string[]) => NextMove,
  tokens: number,
): RawReply {
  const question = messages.find((one) => one.role === 'user' && one.kind === undefined)
  const observations = messages.filter(({ role }) => role === 'tool').map(({ text }) => text)
  const asked = question?.text ?? ''
  const move = nextPages(asked, observations) ?? next(asked, observations)
  if ('answer' in move) return says(move.answer, tokens)
  const pages = 'pages' in move ? move.pages : [move.page]
  return {
    ...says('', tokens),
    calls: pages.map((page) => ({ name: 'read_page', arguments: { page } })),
  }
}

function says(text: string, promptTokens: number): RawReply {
  return { text, calls: [], finish: 'stop', tokens: { promptTokens, completionTokens: 10 } }
}
