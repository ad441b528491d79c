import { isSummary, type Message } from '../../contract/messages.js'
import type { RunState } from '../../contract/run.js'
import { replaceMessages } from '../conversation.js'
import { isQuestion } from './places.js'

/**
 * Drops the tool calls and results of turns that are over, and what the loop itself said in them. What the
 * user said and the final answers stay, those of the last `turns` turns; so does a summary.
 */
export function dropTraces(state: RunState, turns: number): void {
  const said = state.messages.map((_, place) => place).filter((p) => isSaid(state.messages[p]))
  const questions = said.filter((place) => isQuestion(state.messages[place]))
  const first = questions.at(-turns) ?? 0
  replaceMessages(
    state,
    said.filter((place) => place >= first || isSummary(state.messages[place])),
  )
}

function isSaid(message: Message | undefined): boolean {
  if (message?.role === 'assistant') return message.calls.length === 0
  return isQuestion(message) || isSummary(message)
}
