import { canonicalJson } from '../../src/contract/json.js'
import type { JsonObject } from '../../src/index.js'
import { type Answer, type ChatRequest, callTools, say } from '../../src/testing/index.js'
import { answerOf, orderReport } from './stand-in/answer.js'
import {
  type Conversation,
  mailSubject,
  observed,
  readConversation,
} from './stand-in/conversation.js'
import { isStrategyChoice, moodOf } from './stand-in/mood.js'

interface Call {
  readonly name: string
  readonly args: JsonObject
}

/** Calls that the conversation asks for; those already made are left out by the caller. */
type Rule = (talk: Conversation) => Call[]

/** The first rule with a call left to make decides; without any, it is time to answer. */
const RULES: readonly Rule[] = [explainRules, lookUpOrder, gatherFacts, refund, sendMail]

/**
 * Stands in for a language model where there is no API key: a few rules that read the question and what
 * the tools said so far. It is the only part of the example that is not real. Pure, and it never asks
 * for the same call twice, so every conversation ends.
 */
export function standInReply(request: ChatRequest): Answer {
  if (isStrategyChoice(request)) return say(moodOf(request))
  const talk = readConversation(request)
  const calls = talk.isGoodbye ? [] : nextCalls(talk)
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

function explainRules({ orderId, wishes }: Conversation): Call[] {
  if (orderId !== null || !wishes.has('policy')) return []
  return [{ name: 'refund_policy', args: { orderId: null } }]
}

function lookUpOrder({ orderId }: Conversation): Call[] {
  return orderId === null ? [] : [{ name: 'lookup_order', args: { orderId } }]
}

/** Tracking and terms do not depend on each other: one step, two calls. */
function gatherFacts(talk: Conversation): Call[] {
  const { orderId, wishes } = talk
  const order = observed(talk, 'lookup_order')
  if (order.kind !== 'facts') return []
  const late = order.facts['late'] === true
  const wantsTerms = wishes.has('refund') || wishes.has('policy')
  return [
    ...(late || wishes.has('refund') || !wishes.has('policy')
      ? [{ name: 'track_shipment', args: { orderId } }]
      : []),
    ...(late || wantsTerms ? [{ name: 'refund_policy', args: { orderId } }] : []),
  ]
}

function refund(talk: Conversation): Call[] {
  const terms = observed(talk, 'refund_policy')
  if (!talk.wishes.has('refund') || terms.kind !== 'facts') return []
  const { orderId, eligible, refundableCents, why } = terms.facts
  if (eligible !== true || orderId === undefined || typeof refundableCents !== 'number') return []
  const args = { orderId, amountCents: refundableCents, reason: `${why}` }
  return [{ name: 'issue_refund', args }]
}

/** Last, so that the mail tells what was done. */
function sendMail(talk: Conversation): Call[] {
  const found = observed(talk, 'lookup_order').kind === 'facts'
  if (!talk.wishes.has('email') || !found) return []
  const args = { subject: mailSubject(talk.orderId), body: orderReport(talk).join('\n') }
  return [{ name: 'send_email', args }]
}

function fingerprint({ name, args }: Call): string {
  return `${name} ${canonicalJson(args)}`
}
