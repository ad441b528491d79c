import type { Prompt } from '../../../src/worker.js'
import { CONVERSATION } from './script.js'

type Message = Prompt['messages'][number]

/**
 * A stand-in for the model that writes summaries: it keeps what the last summary said, and a few words for
 * each answer that the user got; what tools returned it drops. When there are too many words, the oldest go.
 */
export function summaryOf(messages: readonly Message[], maxWords: number): string {
  const notes = messages.flatMap(({ text, ...message }): string[] => {
    if (message.role === 'tool' || text === '') return []
    if (message.role === 'assistant') return [noteOf(text)]
    // The first line of a summary is a heading.
    return message.kind === 'summary' ? text.split('\n').slice(1) : []
  })
  const kept: string[] = []
  let words = 0
  for (const note of notes.toReversed()) {
    words += note.split(' ').length
    if (words > maxWords) break
    kept.unshift(note)
  }
  return kept.join('\n')
}

function noteOf(answer: string): string {
  return CONVERSATION.find((turn) => turn.answer === answer)?.note ?? answer
}
