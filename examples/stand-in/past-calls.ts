import type { JsonObject, JsonValue } from '../../src/index.js'
import type { ChatMessage, ChatRequest } from '../../src/testing/index.js'

/** What came back from a tool. */
export type Observed =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'facts'; readonly facts: JsonObject }
  | { readonly kind: 'error'; readonly errorType: string; readonly message: string }

/** A call that the conversation holds. */
export interface PastCall {
  readonly name: string
  readonly args: JsonObject
  readonly observed: Observed
}

/** The calls of a request, in order, with what came back. Pure, as everything of the stand-ins. */
export function callsOf({ messages }: ChatRequest): PastCall[] {
  return messages.flatMap((message) => pastCalls(message, messages))
}

/** The names of the tools that may be called. */
export function offeredBy({ tools }: ChatRequest): ReadonlySet<string> {
  return new Set(tools?.map((tool) => tool.function.name))
}

/** The order numbers in what the user says, in upper case, each once. */
export function orderNumbers(text: string): string[] {
  const found = text.match(/\b[a-z]\d{4}\b/gi) ?? []
  return [...new Set(found.map((number) => number.toUpperCase()))]
}

/** What the user said since the last answer: the question, and whatever steered it. */
export function turnOf({ messages }: ChatRequest): string[] {
  const answered = messages.findLastIndex(
    ({ role, tool_calls }) => role === 'assistant' && (tool_calls ?? []).length === 0,
  )
  return messages
    .slice(answered + 1)
    .filter(({ role }) => role === 'user')
    .map(textOf)
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
  // A line above the result tells of a person who changed the arguments.
  const facts = objectIn(text.replace(/^\[note: .*\]\n/, ''))
  if (facts === null) return { kind: 'error', errorType: 'unreadable', message: text.slice(0, 200) }
  if (facts['status'] !== 'error') return { kind: 'facts', facts }
  return { kind: 'error', errorType: `${facts['error_type']}`, message: `${facts['message']}` }
}

/** The text of a message, its parts joined. */
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
