import type { JsonObject, JsonValue } from '../../../src/index.js'
import type { Observed } from '../../stand-in/past-calls.js'
import { type Conversation, observed } from './conversation.js'

/** The answer to the customer, from what the tools said and nothing else. */
export function answerOf(talk: Conversation): string {
  return [...orderReport(talk), mailSentence(talk)].filter((part) => part !== '').join(' ')
}

/** The answer without the sentence about the e-mail: what the e-mail itself says. */
export function orderReport(talk: Conversation): string[] {
  if (talk.isGoodbye) return ['You are welcome. Write again if there is anything else.']
  if (talk.orderId === null) return [generalAnswer(talk)]
  const order = observed(talk, 'lookup_order')
  switch (order.kind) {
    case 'nothing':
      return [`I could not look up order ${talk.orderId}.`]
    case 'error':
      return [lookupProblem(talk.orderId, order)]
    case 'facts':
      return [
        orderSentence(order.facts),
        trackingSentence(observed(talk, 'track_shipment')),
        refundSentence(talk),
        othersSentence(talk.otherOrders),
      ].filter((part) => part !== '')
  }
}

function generalAnswer(talk: Conversation): string {
  const policy = observed(talk, 'refund_policy')
  if (policy.kind === 'facts') return `Our refund rules: ${list(policy.facts['rules']).join(' ')}`
  return 'Which order is it about? Please give me its number, such as A1001.'
}

function lookupProblem(orderId: string, { errorType, message }: Observed & { kind: 'error' }) {
  return errorType === 'tool_error'
    ? `I cannot find an order ${orderId} of yours. Please check the number.`
    : `I could not look up order ${orderId}: ${message}`
}

function orderSentence(order: JsonObject): string {
  const state = `${order['status']}`.replaceAll('_', ' ')
  const late = order['late'] === true ? ' and is late' : ''
  const note = typeof order['note'] === 'string' ? ` ${order['note']}` : ''
  return `Order ${order['orderId']} (${order['item']}, ${order['total']}) is ${state}; it was promised for ${order['promised']}${late}.${note}`
}

function trackingSentence(tracking: Observed): string {
  if (tracking.kind === 'nothing') return ''
  if (tracking.kind === 'error') return `I could not read the tracking: ${tracking.message}`
  const { handedOver, carrier, trackingCode, scans } = tracking.facts
  const last = list(scans).at(-1) as JsonObject | undefined
  if (handedOver !== true || last === undefined) return 'No carrier has it yet.'
  return `${carrier} ${trackingCode}, last scan ${`${last['at']}`.slice(0, 10)} in ${last['place']}: ${last['event']}.`
}

function refundSentence(talk: Conversation): string {
  const refund = observed(talk, 'issue_refund')
  if (refund.kind === 'facts') {
    return `I refunded ${refund.facts['amount']} (refund ${refund.facts['refundId']}).`
  }
  if (refund.kind === 'error' && refund.errorType === 'denied') {
    return 'The refund was not approved, so I have not made it.'
  }
  if (refund.kind === 'error') return notDone('the refund was made', refund)
  const policy = observed(talk, 'refund_policy')
  const wanted = talk.wishes.has('refund')
  if (policy.kind === 'facts' && policy.facts['eligible'] === true) {
    const made = wanted ? ' I have not made the refund.' : ' Say "refund it" if you want that.'
    return `${policy.facts['refundable']} can be refunded. ${policy.facts['why']}${made}`
  }
  if (policy.kind === 'facts') return `It cannot be refunded. ${policy.facts['why']}`
  if (policy.kind === 'error') return `I could not check the refund: ${policy.message}`
  return wanted ? 'I have not made a refund.' : ''
}

function mailSentence(talk: Conversation): string {
  if (!talk.wishes.has('email')) return ''
  const mail = observed(talk, 'send_email')
  if (mail.kind === 'facts') return `I sent an e-mail to ${mail.facts['to']}.`
  if (mail.kind === 'error') return notDone('the e-mail was sent', mail)
  return 'I have not sent an e-mail.'
}

function notDone(what: string, { errorType, message }: Observed & { kind: 'error' }): string {
  return errorType === 'outcome_unknown' || errorType === 'timeout'
    ? `I do not know whether ${what}: ${message}`
    : `It failed that ${what}: ${message}`
}

function othersSentence(others: readonly string[]): string {
  return others.length === 0 ? '' : `Please ask again about ${others.join(' and ')}.`
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
