import type { CallModelInput, SummarizeInput } from '../../contract/activities.js'
import type { ModelReply } from '../../contract/reply.js'
import { summarised } from './aside-reader.js'

/**
 * Follows how many messages a conversation has. The history has no event for messages that were left out
 * without a summary: fewer than there must be is how they show.
 */
export class MessageCount {
  #turn = 0
  /** How many there must be now; undefined before anything is known. */
  #count: number | undefined
  /** True when the note that asks for a forced answer is not counted yet, should one be asked for. */
  #isNoteDue = true

  /** A model call: how many messages were left out just before it. */
  call({ turn, count, forced }: CallModelInput): number {
    if (turn !== this.#turn) this.#count = undefined
    this.#turn = turn
    const expected = (this.#count ?? count) + (forced && this.#isNoteDue ? 1 : 0)
    this.#count = count
    return Math.max(0, expected - count)
  }

  /** A reply: it, its results or a note follow in the conversation. */
  reply({ finish, calls, text }: ModelReply): void {
    // A prompt that is too long is asked again as it is, or shortened: nothing is added.
    this.#isNoteDue = finish !== 'context_length'
    if (this.#count === undefined || (finish !== 'stop' && finish !== 'length')) return
    if (calls.length > 0) this.#count += 1 + calls.length
    else if (text.trim() === '') this.#count += 1
  }

  /** A summary takes the place of older messages; it is made after the note of a forced answer. */
  summary(input: SummarizeInput): void {
    this.#count = input.count - summarised(input) + 1
    this.#isNoteDue = false
  }
}
