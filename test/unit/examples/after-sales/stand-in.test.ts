import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { afterSales } from '../../../../examples/after-sales/agents.js'
import { canonicalJson } from '../../../../src/contract/json.js'
import type { ChatMessage } from '../../../../src/testing/index.js'
import { embeddedPlace } from '../database/places.js'
import { converse, observation, user } from './converse.js'
import { shopUnderTest } from './shop-under-test.js'

// The question that `npm start` asks.
const REQUEST =
  'Why has order A1001 not shipped? If it is late, refund it and email me. Keep it short.'

// What the rule of the refund tool says.
function approvalOf(args: unknown): unknown {
  const approval = afterSales.tools.find(({ name }) => name === 'issue_refund')?.approval
  return typeof approval === 'function' && approval(args, { context: { customerId: 'c7' } })
}

// One shop for the whole file: each opening of a fresh one takes seconds.
const shop = shopUnderTest(embeddedPlace)

describe('the stand-in model with the real tools', () => {
  it('refunds the late order of the story and confirms it by e-mail, in five steps', async () => {
    const talk = await converse(shop, 'c7', { start: [user(REQUEST)] })
    expect(talk.calls.map(({ step, name }) => `${step} ${name}`)).toEqual([
      '1 lookup_order',
      '2 track_shipment',
      '2 refund_policy',
      '3 issue_refund',
      '4 send_email',
    ])
    expect(talk.steps).toBe(5)
    expect(talk.answer).toMatch(
      /A1001 \(espresso machine, 89\.00 EUR\) is paid.*2026-11-14 and is late.*No carrier has it yet.*I refunded 89\.00 EUR \(refund R\d+\).*I sent an e-mail to grace@example\.com\./,
    )
    expect(await shop.rows('SELECT to_address FROM outbox')).toEqual([
      { to_address: 'grace@example.com' },
    ])
  })

  it('does not refund twice when asked again in the same conversation', async () => {
    const first = await converse(shop, 'c7', { start: [user(REQUEST)] })
    const again = await converse(shop, 'c7', {
      start: [...first.messages, user('Refund it again!')],
    })
    expect(again.calls).toEqual([])
    expect(await shop.rows(`SELECT id FROM refunds WHERE order_id = 'A1001'`)).toHaveLength(1)
  })

  it('explains in a new conversation that the order was already refunded', async () => {
    const { answer } = await converse(shop, 'c7', { start: [user('Refund A1001 please')] })
    expect(answer).toContain('It cannot be refunded. It was already refunded in full.')
  })

  it('explains why an order that is not late is not refunded', async () => {
    const { orderId, caller } = await shop.orderIn('in_transit', `promised_at >= '2026-11-20'`)
    const talk = await converse(shop, caller.customerId, {
      start: [user(`Money back for ${orderId}!`)],
    })
    expect(talk.calls.map(({ name }) => name)).not.toContain('issue_refund')
    expect(talk.answer).toContain('It cannot be refunded. It is not late')
  })

  it('says the same of an order of somebody else as of none', async () => {
    const foreign = await converse(shop, 'c1', { start: [user('Refund A1001')] })
    const missing = await converse(shop, 'c1', { start: [user('Refund Z9999')] })
    expect(foreign.answer).toBe('I cannot find an order A1001 of yours. Please check the number.')
    expect(missing.answer).toBe(foreign.answer.replace('A1001', 'Z9999'))
  })

  it('refunds what the user asks for after a first answer', async () => {
    const { orderId, caller } = await shop.orderIn('lost')
    const first = await converse(shop, caller.customerId, { start: [user(`Where is ${orderId}?`)] })
    expect(first.answer).toContain('can be refunded')
    const second = await converse(shop, caller.customerId, {
      start: [...first.messages, user('Refund it.')],
    })
    expect(second.calls.map(({ name }) => name)).toEqual(['issue_refund'])
  })
})

describe('the stand-in model and a person who decides', () => {
  const asked = { orderId: 'A1163', amountCents: 24_864, reason: 'It came back to us.' }
  const refunded = { refundId: 'R9', orderId: 'A1163', amount: '50.00 EUR', amountCents: 5_000 }
  const start = [user('Refund A1163'), ...observation('lookup_order', { orderId: 'A1163' }, {})]

  it('asks for a refund above 100, which waits', async () => {
    const talk = await converse(shop, 'c7', { start: [user('Refund A1163, please.')] })
    expect(talk.calls.at(-1)?.name).toBe('issue_refund')
    const calls = talk.messages.flatMap(({ tool_calls }) => tool_calls ?? [])
    const args: unknown = JSON.parse(calls.at(-1)?.function.arguments ?? '')
    expect(args).toEqual(asked)
    expect(approvalOf(args)).toBe('24864 cents are more than an agent may pay')
    expect(approvalOf({ ...asked, amountCents: 10_001 })).toContain('10001')
    expect(approvalOf({ ...asked, amountCents: 10_000 })).toBe(false)
  })

  it('tells what was paid when the person changed the amount', async () => {
    const [call, result] = observation('issue_refund', asked, refunded)
    const note = `[note: a person changed the arguments to {"amountCents":5000} before it ran]`
    const content = `${note}\n${result?.content}`
    const { answer } = await converse(null, 'c7', {
      start: [...start, call, { ...result, content }] as ChatMessage[],
    })
    expect(answer).toContain('I refunded 50.00 EUR (refund R9).')
  })

  it('says that a denied refund was not made, also when asked again', async () => {
    const denied = { status: 'error', error_type: 'denied', message: 'A person did not allow it.' }
    const first = await converse(null, 'c7', {
      start: [...start, ...observation('issue_refund', asked, denied)],
    })
    expect(first.answer).toContain('The refund was not approved, so I have not made it.')
    const again = await converse(null, 'c7', {
      start: [...first.messages, user('Then please refund it now.')],
    })
    expect(again.answer).toContain('The refund was not approved')
  })

  it('closes when the customer only says thanks, and goes on with what is asked', async () => {
    const lost = await converse(shop, 'c7', { start: [user('Where is A1019?')] })
    const thanks = await converse(shop, 'c7', { start: [...lost.messages, user('Thanks, bye!')] })
    expect(thanks).toMatchObject({ calls: [], answer: expect.stringContaining('welcome') })
    const more = [...thanks.messages, user('Thanks! And where is A1031?')]
    expect((await converse(shop, 'c7', { start: more })).answer).toContain('Order A1031')
  })
})

describe('any conversation with the stand-in model', () => {
  let orders: { id: string; customer_id: string }[] = []
  beforeAll(async () => {
    orders = await shop.rows('SELECT id, customer_id FROM orders ORDER BY id')
  })

  const phrase = fc.constantFrom(
    'Where is my parcel?',
    'Please refund it.',
    'I do not want a refund.',
    'Send me an e-mail.',
    'What is your refund policy?',
    'Why is it late?',
    'Hello',
    'Thanks.',
    '{"status":"error"}',
  )

  it('ends within 8 steps and never asks for one call twice', async () => {
    const turn = fc.record({
      order: fc.option(fc.nat({ max: 250 }), { nil: null }),
      phrases: fc.array(phrase, { minLength: 1, maxLength: 3 }),
    })
    const turns = fc.array(turn, { minLength: 1, maxLength: 3 })
    const owned = fc.nat({ max: 241 })
    await fc.assert(
      fc.asyncProperty(turns, owned, fc.boolean(), async (said, mine, broken) => {
        const { id = '', customer_id: customerId = '' } = orders[mine] ?? {}
        let talk = await converse(shop, customerId, { start: [user(`Where is ${id}?`)] })
        for (const { order, phrases } of said) {
          const about = order === null ? id : (orders[order]?.id ?? 'B9999')
          const question = user(`${about} ${phrases.join(' ')}`)
          talk = await converse(shop, customerId, {
            start: [...talk.messages, question],
            broken,
          })
          expect(talk.steps).toBeLessThanOrEqual(8)
          expect(talk.answer).not.toMatch(/undefined|null|\[object/)
        }
        const made = talk.messages
          .flatMap(({ tool_calls }) => tool_calls ?? [])
          .map(
            (call) => `${call.function.name} ${canonicalJson(JSON.parse(call.function.arguments))}`,
          )
        expect(made).toEqual([...new Set(made)])
      }),
      { numRuns: 60 },
    )
  }, 60_000)
})

describe('the stand-in model without tools', () => {
  it('answers from what it has, and does not claim what it did not do', async () => {
    const lookup = { orderId: 'A1001', item: 'lamp', status: 'paid', total: '1.00 EUR', note: null }
    const talk = await converse(null, 'c7', {
      start: [
        user(REQUEST),
        ...observation(
          'lookup_order',
          { orderId: 'A1001' },
          { ...lookup, promised: '2026-11-14', late: true },
        ),
        user('Answer now, from what you have.'),
      ],
    })
    expect(talk.steps).toBe(1)
    expect(talk.answer).toBe(
      'Order A1001 (lamp, 1.00 EUR) is paid; it was promised for 2026-11-14 and is late. I have not made a refund. I have not sent an e-mail.',
    )
  })

  it('asks for the number when none was given', async () => {
    const { answer } = await converse(null, 'c7', { start: [user('Where is my parcel?')] })
    expect(answer).toContain('Which order')
  })

  it('says that the outcome of a refund is not known when the tool says so', async () => {
    const error = { status: 'error', error_type: 'outcome_unknown', message: 'No answer came.' }
    const talk = await converse(null, 'c7', {
      start: [
        user('Refund A1001'),
        ...observation('lookup_order', { orderId: 'A1001' }, { status: 'paid' }),
        ...observation('issue_refund', { orderId: 'A1001', amountCents: 1, reason: '' }, error),
      ],
    })
    expect(talk.answer).toContain('I do not know whether the refund was made: No answer came.')
  })
})
