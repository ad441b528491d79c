import type { JsonObject } from '../../../src/index.js'
import type { ChatRequest } from '../../../src/testing/index.js'
import {
  callsOf,
  offeredBy,
  orderNumbers,
  type PastCall,
  turnOf,
} from '../../stand-in/past-calls.js'
import { type Language, languageOf, partsOf } from './question.js'

/** A request as the rules read it. */
export interface Conversation {
  readonly language: Language
  /** The order in question: the first that the user names. */
  readonly orderId: string | null
  /** What to search for, each by itself. */
  readonly parts: readonly string[]
  readonly offered: ReadonlySet<string>
  readonly calls: readonly PastCall[]
}

/** Reads the request of one model call. Pure, as everything of the stand-in. */
export function readConversation(request: ChatRequest): Conversation {
  // What steers a turn, such as the note at a limit, comes after the question.
  const [question = ''] = turnOf(request)
  const [orderId = null] = orderNumbers(question)
  return {
    language: languageOf(question),
    orderId,
    parts: partsOf(question, orderId),
    offered: offeredBy(request),
    calls: callsOf(request),
  }
}

/** What the newest call of that tool with these arguments brought; null: not called, or an error. */
export function factsOf(talk: Conversation, name: string, args: JsonObject): JsonObject | null {
  const call = talk.calls.findLast(
    (past) =>
      past.name === name && Object.entries(args).every(([key, value]) => past.args[key] === value),
  )
  return call?.observed.kind === 'facts' ? call.observed.facts : null
}

/** Order in question and what order_status says of it; null without an order, or without an answer. */
export function orderOf(talk: Conversation): JsonObject | null {
  return talk.orderId === null ? null : factsOf(talk, 'order_status', { orderId: talk.orderId })
}

const LATE: Readonly<Record<Language, string>> = {
  en: 'late order',
  de: 'verspätete Bestellung',
  zh: '延迟的订单',
}

/** The searches of a question. What the order is decides the first: the rules for a late one differ. */
export function queriesOf(talk: Conversation): string[] {
  const late = orderOf(talk)?.['late'] === true
  return talk.parts.map((part, index) =>
    index === 0 && late ? `${LATE[talk.language]} ${part}` : part,
  )
}

/** The id of the best passage that a search found; null: not searched yet, or nothing was found. */
export function bestOf(talk: Conversation, query: string): string | null {
  const passages = (factsOf(talk, 'search_docs', { query })?.['passages'] ?? []) as JsonObject[]
  const ids = passages.map(({ id }) => id).filter((id) => typeof id === 'string')
  // About an order the rules of the shop count, not what others write of refunds.
  const rule = talk.orderId === null ? undefined : ids.find((id) => id.startsWith('shop/'))
  return rule ?? ids[0] ?? null
}
