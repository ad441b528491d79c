import { describe, expect, it } from 'vitest'
import { refusal } from '../call-tool.js'
import { places } from '../database/places.js'
import { type ShopUnderTest, shopUnderTest } from './shop-under-test.js'

const C7 = { customerId: 'c7' }
const REFUND = { orderId: 'A1001', amountCents: 8_900, reason: 'It is late.' }

describe.each(places)('after-sales tools, %s database', (_name, makePlace) => {
  const shop = shopUnderTest(makePlace)
  readTools(shop)
  refundOnce(shop)
  refundRules(shop)
  mail(shop)
})

function readTools({ call, orderIn }: ShopUnderTest) {
  it('lookup_order reads the order of the story: paid, late, stuck in the warehouse', async () => {
    expect(await call('lookup_order', { orderId: 'A1001' }, C7)).toEqual({
      orderId: 'A1001',
      item: 'espresso machine',
      status: 'paid',
      total: '89.00 EUR',
      totalCents: 8_900,
      refundedCents: 0,
      placed: '2026-11-05',
      promised: '2026-11-14',
      today: '2026-11-20',
      late: true,
      note: 'Backlog in the Leipzig warehouse: not packed yet, no date.',
    })
  })

  it('lookup_order takes a number in lower case', async () => {
    expect(await call('lookup_order', { orderId: 'a1001' }, C7)).toMatchObject({ orderId: 'A1001' })
  })

  it.each(['lookup_order', 'track_shipment', 'refund_policy', 'issue_refund'])(
    '%s gives the same error for an order of somebody else as for none',
    async (name) => {
      const ask = (orderId: string, customerId: string) =>
        refusal(call(name, { ...REFUND, orderId }, { customerId, key: 'foreign' }))
      const foreign = await ask('A1001', 'c1')
      const missing = await ask('Z9999', 'c1')
      expect(foreign).toBe(missing.replaceAll('Z9999', 'A1001'))
    },
  )

  it('track_shipment lists the scans, oldest first', async () => {
    const { orderId, caller } = await orderIn('in_transit')
    const tracking = await call('track_shipment', { orderId }, caller)
    expect(tracking).toMatchObject({ handedOver: true, trackingCode: `TRK${orderId.slice(1)}` })
    const times = (tracking['scans'] as { at: string }[]).map(({ at }) => at)
    expect(times).toHaveLength(2)
    expect(times).toEqual([...times].sort())
  })

  it('track_shipment says that a paid order was not handed over', async () => {
    expect(await call('track_shipment', { orderId: 'A1001' }, C7)).toMatchObject({
      handedOver: false,
      scans: [],
    })
  })

  it('refund_policy gives the rules alone when no order is named', async () => {
    const policy = await call('refund_policy', { orderId: null }, C7)
    expect(Object.keys(policy)).toEqual(['rules'])
  })
}

function refundOnce({ call, rows, orderIn }: ShopUnderTest) {
  it('issue_refund pays once for one key, and answers a repeat with the first refund', async () => {
    const first = await call('issue_refund', REFUND, { ...C7, key: 'k1' })
    const again = await call('issue_refund', REFUND, { ...C7, key: 'k1' })
    expect(first).toMatchObject({ orderId: 'A1001', amount: '89.00 EUR', amountCents: 8_900 })
    expect(again).toEqual(first)
    expect(await rows(`SELECT id FROM refunds WHERE order_id = 'A1001'`)).toHaveLength(1)
    expect(await call('lookup_order', { orderId: 'A1001' }, C7)).toMatchObject({
      status: 'refunded',
    })
  })

  it('issue_refund refuses an order that another key has refunded', async () => {
    const told = await refusal(call('issue_refund', REFUND, { ...C7, key: 'k2' }))
    expect(told).toContain('already refunded')
  })

  it('issue_refund pays once when two attempts with one key overlap', async () => {
    const { orderId, caller } = await orderIn('lost')
    const args = { orderId, amountCents: 1, reason: 'Lost.' }
    const answers = await Promise.all(
      [1, 2, 3].map(() => call('issue_refund', args, { ...caller, key: 'overlap' })),
    )
    expect(new Set(answers.map((answer) => answer['refundId'])).size).toBe(1)
  })

  it('issue_refund never pays more than the price when two keys overlap', async () => {
    const { orderId, totalCents, caller } = await orderIn('returned')
    const args = { orderId, amountCents: totalCents, reason: 'Returned.' }
    const results = await Promise.allSettled(
      ['a', 'b', 'c'].map((key) => call('issue_refund', args, { ...caller, key: `race-${key}` })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
}

function refundRules({ call, orderIn }: ShopUnderTest) {
  it('issue_refund lets parts add up to the price, no further', async () => {
    const { orderId, totalCents, caller } = await orderIn(
      'lost',
      'id NOT IN (SELECT order_id FROM refunds)',
    )
    const part = { orderId, amountCents: 100, reason: 'Part.' }
    await call('issue_refund', part, { ...caller, key: 'part-1' })
    const told = await refusal(
      call('issue_refund', { ...part, amountCents: totalCents }, { ...caller, key: 'part-2' }),
    )
    expect(told).toContain(`at most ${totalCents - 100} are left`)
  })

  it.each([
    ['in_transit', `promised_at >= '2026-11-20'`, 'not late'],
    ['delivered', 'true', 'sent back'],
    ['pending', 'true', 'not paid'],
    ['cancelled', 'true', 'cancelled'],
    ['refunded', 'true', 'already refunded'],
  ])('issue_refund refuses an order that is %s (%s) and says why', async (status, more, why) => {
    const { orderId, caller } = await orderIn(status, more)
    const args = { orderId, amountCents: 1, reason: 'Please.' }
    expect(await refusal(call('issue_refund', args, { ...caller, key: `no-${status}` }))).toContain(
      why,
    )
  })
}

function mail({ call, rows }: ShopUnderTest) {
  it('send_email goes to the address of the customer, once for one key', async () => {
    const mail = { subject: 'Your order', body: 'It is \u0000 late.' }
    const first = await call('send_email', mail, { ...C7, key: 'm1' })
    const again = await call('send_email', mail, { ...C7, key: 'm1' })
    expect(first).toMatchObject({ to: 'grace@example.com', subject: 'Your order', queued: true })
    expect(again).toEqual(first)
    expect(await rows('SELECT body FROM outbox')).toEqual([{ body: 'It is  late.' }])
  })

  it('send_email refuses a customer who is not known', async () => {
    const mail = { subject: 'Hello', body: 'Hello' }
    expect(await refusal(call('send_email', mail, { customerId: 'nobody', key: 'm2' }))).toContain(
      'No address',
    )
  })
}
