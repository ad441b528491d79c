import { defineAgent } from '../../src/index.js'
import { customer } from './customer.js'
import { createShop, type Shop } from './shop.js'
import { issueRefund } from './tools/issue-refund.js'
import { lookupOrder } from './tools/lookup-order.js'
import { refundPolicy } from './tools/refund-policy.js'
import { sendEmail } from './tools/send-email.js'
import { trackShipment } from './tools/track-shipment.js'

export { customer }

/** The shop of this process. It opens at the first tool call: importing this file touches no disk. */
export const shop = createShop()

/** How to answer, by mood and stage of the conversation; the model chooses one before it begins. */
const STRATEGIES = [
  {
    name: 'angry',
    when: 'The customer is angry, threatens, or complains about how they were treated.',
    instructions:
      'Say once, in plain words, that you understand the anger. Do not argue, do not excuse. Then say what you did and what happens next.',
  },
  {
    name: 'waiting',
    when: 'The customer waits for something: an order, a parcel, a refund, an answer.',
    instructions:
      'Begin with where the thing is now and when it will be there. Reasons come after.',
  },
  {
    name: 'first contact',
    when: 'It is the first message of the customer, and nothing is wrong yet.',
    instructions: 'Greet the customer in one short sentence before you answer.',
  },
  {
    name: 'closing',
    when: 'The customer thanks you or says goodbye.',
    instructions: 'Confirm in one sentence what was done, and say goodbye. Offer nothing new.',
  },
]

/** The agent over any shop, so that tests can give it one of their own. */
export function afterSalesAgent(of: Shop) {
  return defineAgent({
    name: 'after-sales',
    instructions: `You are the after-sales assistant of a web shop. You answer one customer about their own orders.

- Look things up before you answer; never guess a state, a date, an amount or a rule.
- Need two things that do not depend on each other? Ask for both in one step.
- Refund only when the customer asked for it and refund_policy says eligible. Otherwise explain why not.
- When a tool answers with an error, do what its message says. Never say that something was done unless a tool said so.
- Answer in the language of the customer, in a few plain sentences, with order number, amounts and dates.`,
    model: 'gpt-4o-mini',
    modelSettings: { temperature: 0, maxTokens: 1024 },
    context: customer,
    tools: [lookupOrder(of), trackShipment(of), refundPolicy(of), issueRefund(of), sendEmail(of)],
    strategies: STRATEGIES,
    limits: { maxSteps: 8 },
  })
}

/** The agent that this example runs. */
export const afterSales = afterSalesAgent(shop)
