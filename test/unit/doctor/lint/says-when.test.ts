import { describe, expect, it } from 'vitest'
import { saysWhen } from '../../../../src/doctor/lint/says-when.js'
import { tool } from './tools.js'

function complains(description: string): boolean {
  return saysWhen.check([tool({ description })]).length > 0
}

describe('a description', () => {
  it.each([
    'Looks up an order by its number and gives its state, its price and its date.',
    'Order lookup',
    'Refunds an order. Takes the number of the order and an amount in cents.',
    'Gibt den Stand einer Bestellung und ihren Preis zurück.',
  ])('that does not say when: %s', (description) => {
    expect(complains(description)).toBe(true)
  })

  it.each([
    'Use when the customer asks about one order.',
    'Use before issue_refund, to see whether it is allowed.',
    'Call this to get the weather of one city.',
    'Use this tool for questions about shipping.',
    'Gives the weather. Only for cities in Europe.',
    'Nutze dies, wenn der Kunde nach einer Bestellung fragt.',
    'À utiliser quand le client demande un remboursement.',
    'Úsala cuando el cliente pregunta por su pedido.',
    'Da usare quando il cliente chiede un rimborso.',
  ])('that says when: %s', (description) => {
    expect(complains(description)).toBe(false)
  })

  it('in another script is not judged', () => {
    expect(complains('查询订单的状态、价格和日期')).toBe(false)
  })
})
