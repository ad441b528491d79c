import type { JsonObject } from '../../../src/index.js'
import { wordsOf } from '../index/words.js'
import { bestOf, type Conversation, factsOf, orderOf, queriesOf } from './conversation.js'

/** The answer, from what was read and nothing else, each sentence with the passage that it is from. */
export function answerOf(talk: Conversation): string {
  const queries = queriesOf(talk)
  if (queries.length === 0 && talk.orderId === null) return NO_QUESTION[talk.language]
  return [orderSentence(talk), ...new Set(queries.map((query) => partAnswer(talk, query)))]
    .filter((sentence) => sentence !== '')
    .join(talk.language === 'zh' ? '' : ' ')
}

const NO_QUESTION = {
  en: 'What would you like to know?',
  de: 'Was möchten Sie wissen?',
  zh: '请问您想了解什么？',
} as const

function orderSentence(talk: Conversation): string {
  if (talk.orderId === null) return ''
  const order = orderOf(talk)
  if (order === null) return MISSING[talk.language](talk.orderId)
  return ORDER[talk.language](order)
}

const MISSING = {
  en: (id: string) => `I cannot find an order ${id} of yours.`,
  de: (id: string) => `Ich finde keine Bestellung ${id} von Ihnen.`,
  zh: (id: string) => `找不到您的订单${id}。`,
} as const

const ORDER = {
  en: ({ orderId, item, total, status, promised, late }: JsonObject) =>
    `Order ${orderId} (${item}, ${total}) is ${status}; it was promised for ${promised}${late === true ? ' and is late' : ''}.`,
  de: ({ orderId, item, total, status, promised, late }: JsonObject) =>
    `Bestellung ${orderId} (${item}, ${total}): ${status}, zugesagt für ${promised}${late === true ? ', verspätet' : ''}.`,
  zh: ({ orderId, item, total, status, promised, late }: JsonObject) =>
    `订单${orderId}（${item}，${total}）：${status}，承诺日期${promised}${late === true ? '，已延迟' : ''}。`,
} as const

const NOTHING = {
  en: (query: string) => `The documents do not say anything about "${query}".`,
  de: (query: string) => `Zu „${query}“ steht in den Dokumenten nichts.`,
  zh: (query: string) => `文档中没有关于“${query}”的内容。`,
} as const

function partAnswer(talk: Conversation, query: string): string {
  const id = bestOf(talk, query)
  const read = id === null ? null : factsOf(talk, 'read_doc', { id })
  if (read === null) return NOTHING[talk.language](query)
  return `${fitting(`${read['text']}`, query)} [${read['id']}]`
}

/** The two sentences in a row that have most of the words of a query, as they stand in the passage. */
function fitting(text: string, query: string): string {
  const sentences = text.replaceAll(/\s+/g, ' ').split(/(?<=[.!?]\s)|(?<=[。！？])/)
  const pairs = sentences.map((sentence, index) => sentence + (sentences[index + 1] ?? ''))
  const asked = new Set(wordsOf(query).map(root))
  const score = (pair: string) =>
    new Set(
      wordsOf(pair)
        .map(root)
        .filter((word) => asked.has(word)),
    ).size
  const best = pairs.reduce((top, pair) => (score(pair) > score(top) ? pair : top), pairs[0] ?? '')
  return best.trim().slice(0, 600).toWellFormed()
}

/** Enough of a word to know its forms again. */
function root(word: string): string {
  return word.slice(0, 5)
}
