import type { SummarizeInput, Summary } from '../../contract/activities.js'
import { isSummary } from '../../contract/messages.js'
import type { RunState } from '../../contract/run.js'
import { replaceMessages, type Sized } from '../conversation.js'
import { inProvidersMeasure, sizesOf } from '../sizes.js'
import { goalOf, partAfter, partBefore } from './places.js'

/** Tokens that one summary is made of at most: the summariser has a context of its own to overflow. */
const MAX_PART_TOKENS = 8_000

const HEADING = 'Summary of the conversation so far; the messages themselves were left out:'
const DROPPED = 'Earlier messages were left out to keep the conversation short.'

/** What has to be summarised. */
export interface SummaryPlan extends Pick<SummarizeInput, 'to' | 'goal'> {
  /** Of it, in the provider's measure. */
  readonly tokens: number
}

/**
 * The older part of the conversation, when it has become too long: all but the newest messages and the
 * goal of the turn, or as much of it from its beginning as fits one summary.
 */
export function dueSummary(state: RunState): SummaryPlan | null {
  const policy = state.manifest.memory?.summary
  if (policy === undefined) return null
  const { messages } = state
  const sizes = sizesOf(state)
  const goal = goalOf(messages)
  const end = partBefore(messages, messages.length - policy.keepMessages)
  const size = (from: number, to: number) =>
    sizes.slice(from, to).reduce((sum, one, i) => (from + i === goal ? sum : sum + one), 0)
  if (inProvidersMeasure(state, size(0, end)) <= policy.aboveTokens) return null
  // A summary of nothing but the last summary would go on for ever.
  const isNew = (place: number) => place !== goal && !isSummary(messages[place])
  let to = 0
  for (let next = partAfter(messages, 0); next <= end; next = partAfter(messages, next)) {
    const fits = inProvidersMeasure(state, size(0, next)) <= MAX_PART_TOKENS
    if (!fits && messages.slice(0, to).some((_, place) => isNew(place))) break
    to = next
  }
  if (!messages.slice(0, to).some((_, place) => isNew(place))) return null
  const tokens = inProvidersMeasure(state, size(0, to))
  return { to, goal: goal >= 0 && goal < to ? goal : null, tokens }
}

/** Puts a summary in the place of what it tells. */
export function putSummary(
  state: RunState,
  plan: SummaryPlan,
  { text, size }: Pick<Summary, 'text' | 'size'>,
): void {
  replaceMessages(state, placesLeft(state, plan), {
    message: { role: 'user', kind: 'summary', text: summaryText(text) },
    size,
  })
}

/** Drops what could not be summarised. A summary of what was before stays. */
export function dropOlder(state: RunState, plan: SummaryPlan): void {
  const [first] = state.messages
  const kept: Sized = isSummary(first)
    ? { message: first, size: sizesOf(state)[0] }
    : { message: { role: 'user', kind: 'summary', text: DROPPED } }
  replaceMessages(state, placesLeft(state, plan), kept)
}

function placesLeft({ messages }: RunState, { to, goal }: SummaryPlan): number[] {
  return messages.map((_, place) => place).filter((place) => place >= to || place === goal)
}

/** The text of the message that a summary becomes. Its worker counts the same. */
export function summaryText(text: string): string {
  return `${HEADING}\n${text}`
}
