import { defineAgent } from '../../src/index.js'
import { customer } from '../after-sales/customer.js'
import { createShop, type Shop } from '../after-sales/shop.js'
import { createKnowledgeBase, type KnowledgeBase } from './knowledge-base.js'
import { orderStatus } from './tools/order-status.js'
import { readDoc } from './tools/read-doc.js'
import { searchDocs } from './tools/search-docs.js'

/** The agent over any documents and any shop, so that tests can give it their own. */
export function knowledgeBaseAgent(of: { knowledgeBase: KnowledgeBase; shop: Shop }) {
  return defineAgent({
    name: 'knowledge-base',
    instructions: `You answer questions from documents, and about the customer's orders.

- Search, read, then answer. Answer only from passages that you have read and from order_status; never from memory.
- A question often has parts that are in different documents: search for each part by itself.
- About an order, ask order_status first; what it says decides which rule to search for.
- Put the id of the passage in brackets after each sentence that it supports, such as [perdure/docs/tools.md#3].
- When the documents do not say it, say so.
- Answer in the language of the question, in a few plain sentences.`,
    model: 'gpt-4o-mini',
    modelSettings: { temperature: 0, maxTokens: 1024 },
    context: customer,
    tools: [searchDocs(of.knowledgeBase), readDoc(of.knowledgeBase), orderStatus(of.shop)],
    // One call a step: what to read depends on what was found, and what to search for on the order. A
    // model that may call several at once makes up the ids of passages that it has not seen.
    parallel: false,
    // Two parts take order, two searches, two passages and the answer; one search may need a second try.
    limits: { maxSteps: 10 },
  })
}

/** The agent that this example runs. Its databases open at the first tool call that needs them. */
export const knowledgeBase = knowledgeBaseAgent({
  knowledgeBase: createKnowledgeBase(),
  shop: createShop(),
})
