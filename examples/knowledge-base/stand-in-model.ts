import { canonicalJson } from '../../src/contract/json.js'
import type { JsonObject } from '../../src/index.js'
import { type Answer, type ChatRequest, callTools, say } from '../../src/testing/index.js'
import { answerOf } from './stand-in/answer.js'
import { bestOf, type Conversation, queriesOf, readConversation } from './stand-in/conversation.js'

interface Call {
  readonly name: string
  readonly args: JsonObject
}

/** Calls that the conversation asks for; those already made are left out by the caller. */
type Rule = (talk: Conversation) => Call[]

/** The first rule with a call left to make decides; without any, it is time to answer. */
const RULES: readonly Rule[] = [askForOrder, searchEachPart, readTheBest]

/**
 * Stands in for a language model where there is no API key: it cuts the question into parts, searches
 * for each, reads the best passage of each and quotes the sentence that fits. Pure, and it never asks
 * for the same call twice, so every conversation ends.
 */
export function standInReply(request: ChatRequest): Answer {
  const talk = readConversation(request)
  const calls = nextCalls(talk)
  if (calls.length === 0) return say(answerOf(talk))
  return callTools(request.parallel_tool_calls === false ? calls.slice(0, 1) : calls)
}

function nextCalls(talk: Conversation): Call[] {
  const made = new Set(talk.calls.map(fingerprint))
  for (const rule of RULES) {
    const calls = rule(talk).filter(
      (call) => talk.offered.has(call.name) && !made.has(fingerprint(call)),
    )
    if (calls.length > 0) return calls
  }
  return []
}

function askForOrder({ orderId }: Conversation): Call[] {
  return orderId === null ? [] : [{ name: 'order_status', args: { orderId } }]
}

function searchEachPart(talk: Conversation): Call[] {
  return queriesOf(talk).map((query) => ({ name: 'search_docs', args: { query, page: null } }))
}

function readTheBest(talk: Conversation): Call[] {
  const ids = queriesOf(talk).map((query) => bestOf(talk, query))
  return [...new Set(ids)]
    .filter((id) => id !== null)
    .map((id) => ({ name: 'read_doc', args: { id } }))
}

function fingerprint({ name, args }: Call): string {
  return `${name} ${canonicalJson(args)}`
}
