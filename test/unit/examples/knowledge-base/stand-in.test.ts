import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsOf } from '../../../../examples/knowledge-base/stand-in/question.js'
import { standInReply } from '../../../../examples/knowledge-base/stand-in-model.js'
import type { JsonObject } from '../../../../src/index.js'
import type { Answer, ChatMessage, ChatRequest } from '../../../../src/testing/index.js'

const TOOLS: NonNullable<ChatRequest['tools']> = ['search_docs', 'read_doc', 'order_status'].map(
  (name) => ({ type: 'function', function: { name, parameters: {} } }),
)

/** What a tool says to a call. */
type Tools = (name: string, args: JsonObject) => JsonObject

interface Talk {
  readonly calls: readonly string[]
  readonly answer: string
}

/** The agent's loop without Temporal, one call a step, until the stand-in answers. */
function converse(question: string, tools: Tools): Talk {
  const messages: ChatMessage[] = [{ role: 'user', content: question }]
  const calls: string[] = []
  for (let step = 1; step <= 20; step += 1) {
    const reply = standInReply({ model: 'm', messages, tools: TOOLS, parallel_tool_calls: false })
    const [call] = reply.calls
    if (call === undefined) return { calls, answer: reply.text ?? '' }
    calls.push(`${call.name} ${JSON.stringify(call.args)}`)
    messages.push(...observed(call, tools, `call_${step}`))
  }
  throw new Error('the stand-in does not come to an end')
}

function observed(call: Answer['calls'][number], tools: Tools, id: string): ChatMessage[] {
  const { name } = call
  const args = call.args as JsonObject
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    },
    { role: 'tool', tool_call_id: id, content: JSON.stringify(tools(name, args)) },
  ]
}

const FAILED = { status: 'error', error_type: 'tool_error', message: 'No.', retryable: false }

/** Two documents and one order. */
const SHOP: Tools = (name, args) => {
  if (name === 'order_status') {
    return {
      orderId: 'A1',
      item: 'lamp',
      total: '1 EUR',
      status: 'paid',
      promised: 'x',
      late: true,
    }
  }
  if (name === 'read_doc') return { id: `${args['id']}`, text: `Intro. About ${args['id']}. End.` }
  const id = `${args['query']}`.includes('refund') ? 'refunds#1' : 'late#2'
  return { total: 1, passages: [{ id, title: id, snippet: '' }] }
}

describe('the stand-in model of the knowledge base', () => {
  it('looks the order up, searches for each part, reads both documents and cites both', () => {
    const talk = converse(
      'Order A1001 has not come. Can I cancel it, and how long does a refund take?',
      SHOP,
    )
    expect(talk.calls).toEqual([
      'order_status {"orderId":"A1001"}',
      'search_docs {"query":"late order Can I cancel it","page":null}',
      'search_docs {"query":"how long does a refund take","page":null}',
      'read_doc {"id":"late#2"}',
      'read_doc {"id":"refunds#1"}',
    ])
    expect(talk.answer).toMatch(/^Order A1 .* is late\. .*\[late#2\] .*\[refunds#1\]$/)
  })

  it('reads a passage once that is best for both parts', () => {
    const talk = converse('Is there a refund? When is the refund paid?', SHOP)
    expect(talk.calls.filter((call) => call.startsWith('read_doc'))).toHaveLength(1)
  })

  it('says what it does not find instead of guessing', () => {
    const talk = converse('Who sings the best songs? Where is A1001?', (name) =>
      name === 'search_docs' ? { total: 0, passages: [] } : FAILED,
    )
    expect(talk.answer).toBe(
      'I cannot find an order A1001 of yours. The documents do not say anything about "Who sings the best songs".',
    )
  })

  it('answers from what it has when it may call nothing', () => {
    const reply = standInReply({ model: 'm', messages: [{ role: 'user', content: 'Why is it?' }] })
    expect(reply.calls).toEqual([])
    expect(reply.text).toContain('do not say anything')
  })

  it('ends whatever is asked and observed, and never asks for one call twice', () => {
    const word = fc.constantFrom(
      'A1001',
      'refund',
      '退款',
      '？',
      '? ',
      '. ',
      ' and how ',
      'ü',
      ' ',
      'x',
    )
    const result = fc.constantFrom<JsonObject>(
      FAILED,
      {},
      { passages: [] },
      { passages: [{}] },
      {
        passages: [{ id: 'a#1' }],
      },
    )
    fc.assert(
      fc.property(fc.array(word), fc.infiniteStream(result), (words, results) => {
        const talk = converse(words.join(''), () => results.next().value ?? {})
        expect(talk.calls).toEqual([...new Set(talk.calls)])
        expect(talk.answer).not.toBe('')
      }),
    )
  })
})

describe('the parts of a question', () => {
  it.each([
    ['How long does it take, and what does it cost?', 'How long does it take|what does it cost'],
    ['Salt and pepper?', 'Salt and pepper'],
    ['Wie lange dauert es und was kostet es?', 'Wie lange dauert es|was kostet es'],
    ['可以取消订单吗？退款多久到账？', '可以取消订单吗|退款多久到账'],
    ['Where is A1001? May I cancel it?', 'May I cancel it'],
    ['Where is A1001?', 'Where is'],
    ['Hi!', ''],
  ])('%s → %s', (question, parts) => {
    expect(partsOf(question, 'A1001').join('|')).toBe(parts)
  })
})
