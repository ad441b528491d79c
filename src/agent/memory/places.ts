import type { Message } from '../../contract/messages.js'

/** The place of what the turn is about: the newest words of the user's own. -1 when there are none. */
export function goalOf(messages: readonly Message[]): number {
  return messages.findLastIndex(isQuestion)
}

/** The largest place ≤ `place` that does not part a call from its results. */
export function partBefore(messages: readonly Message[], place: number): number {
  let at = Math.max(0, place)
  while (messages[at]?.role === 'tool') at--
  return at
}

/** The smallest place > `place` that does not part a call from its results. */
export function partAfter(messages: readonly Message[], place: number): number {
  let at = place + 1
  while (messages[at]?.role === 'tool') at++
  return at
}

/** True for what the loop itself asks of the model. */
export function isNote(message: Message): boolean {
  return message.role === 'user' && message.kind === 'note'
}

/** True for the user's own words. */
export function isQuestion(message: Message | undefined): boolean {
  return message?.role === 'user' && message.kind === undefined
}
