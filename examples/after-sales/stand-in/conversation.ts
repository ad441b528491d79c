import type { JsonObject, JsonValue } from '../../../src/index.js'
import type { ChatMessage, ChatRequest } from '../../../src/testing/index.js'
import { readWishes, type Wish } from './wishes.js'

/** What came back from a tool. */
export type Observed =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'facts'; readonly facts: JsonObject }
  | { readonly kind: 'error'; readonly errorType: string; readonly message: string }

interface PastCall {
  readonly name: string
  readonly args: JsonObject
  readonly observed: Observed
}

/** A request as the rules read it. */
export interface Conversation {
  /** The order in question: the first of the newest user message that names any. */
  readonly orderId: string | null
  /** Other orders of that message. */
  readonly otherOrders: readonly string[]
  /** What the user wants in this turn. */
  readonly wishes: ReadonlySet<Wish>
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
  return {
    orderId,
    otherOrders,
    wishes: readWishes(turnOf(messages).map(textOf)),
    offered: new Set(request.tools?.map((tool) => tool.function.name)),
    calls: messages.flatMap((message) => pastCalls(message, messages)),
  }
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

/** What the user said since the last answer: the question, and whatever steered it. */
function turnOf(messages: readonly ChatMessage[]): ChatMessage[] {
  const answered = messages.findLastIndex(
    ({ role, tool_calls }) => role === 'assistant' && (tool_calls ?? []).length === 0,
  )
  return messages.slice(answered + 1).filter(({ role }) => role === 'user')
}

function pastCalls(message: ChatMessage, messages: readonly ChatMessage[]): PastCall[] {
  return (message.tool_calls ?? []).map((call) => {
    const answer = messages.find(({ tool_call_id }) => tool_call_id === call.id)
    return {
      name: call.function.name,
      args: objectIn(call.function.arguments) ?? {},
      observed: answer === undefined ? { kind: 'nothing' } : readObservation(textOf(answer)),
    }
  })
}

function readObservation(text: string): Observed {
  const facts = objectIn(text)
  if (facts === null) return { kind: 'error', errorType: 'unreadable', message: text.slice(0, 200) }
  if (facts['status'] !== 'error') return { kind: 'facts', facts }
  return { kind: 'error', errorType: `${facts['error_type']}`, message: `${facts['message']}` }
}

function orderNumbers(text: string): string[] {
  const found = text.match(/\b[a-z]\d{4}\b/gi) ?? []
  return [...new Set(found.map((number) => number.toUpperCase()))]
}

/** The text of a message, whatever form its content has. */
export function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text }) => text).join('\n')
}

function objectIn(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as JsonValue
    return typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : null
  } catch {
    return null
  }
}
