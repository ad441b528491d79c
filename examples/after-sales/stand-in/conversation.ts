import type { ChatRequest } from '../../../src/testing/index.js'
import {
  callsOf,
  type Observed,
  offeredBy,
  orderNumbers,
  type PastCall,
  textOf,
  turnOf,
} from '../../stand-in/past-calls.js'
import { CLOSING } from './mood.js'
import { readWishes, type Wish } from './wishes.js'

/** A request as the rules read it. */
export interface Conversation {
  /** The order in question: the first of the newest user message that names any. */
  readonly orderId: string | null
  /** Other orders of that message. */
  readonly otherOrders: readonly string[]
  /** What the user wants in this turn. */
  readonly wishes: ReadonlySet<Wish>
  /** True when this turn only says thanks or goodbye. */
  readonly isGoodbye: boolean
  readonly offered: ReadonlySet<string>
  readonly calls: readonly PastCall[]
}

/** Reads the request of one model call. Pure, as everything of the stand-in. */
export function readConversation(request: ChatRequest): Conversation {
  const { messages } = request
  const numbers = messages
    .filter(({ role }) => role === 'user')
    .map((message) => orderNumbers(textOf(message)))
    .findLast((found) => found.length > 0)
  const [orderId = null, ...otherOrders] = numbers ?? []
  const turn = turnOf(request)
  const wishes = readWishes(turn)
  return {
    orderId,
    otherOrders,
    wishes,
    isGoodbye: wishes.size === 0 && turn.length > 0 && turn.every(saysGoodbye),
    offered: offeredBy(request),
    calls: callsOf(request),
  }
}

function saysGoodbye(text: string): boolean {
  return CLOSING.test(text.toLowerCase()) && orderNumbers(text).length === 0 && !text.includes('?')
}

/** The newest observation of a tool about the order in question; an earlier turn may have had another. */
export function observed({ calls, orderId }: Conversation, name: string): Observed {
  const call = calls.findLast(
    ({ name: called, args }) =>
      called === name &&
      ('orderId' in args ? args['orderId'] === orderId : args['subject'] === mailSubject(orderId)),
  )
  return call?.observed ?? { kind: 'nothing' }
}

/** The subject of the e-mail about an order; by it, a mail is known again. */
export function mailSubject(orderId: string | null): string {
  return `Your order ${orderId}`
}
