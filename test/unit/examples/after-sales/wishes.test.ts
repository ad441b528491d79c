import { describe, expect, it } from 'vitest'
import { readWishes } from '../../../../examples/after-sales/stand-in/wishes.js'

describe('the wishes that the stand-in reads', () => {
  it.each([
    [
      'Why has order A1001 not shipped? If it is late, refund it and email me.',
      'email refund track',
    ],
    ['I want my money back', 'refund'],
    ['I do not want a refund', ''],
    ["Don't refund it, just tell me where it is", 'track'],
    ['Was A1001 refunded?', ''],
    ['What is your refund policy?', 'policy'],
    ['My email is eve@example.com. Refund A1001.', 'refund'],
    ['Send me an e-mail, but no refund please', 'email'],
    ['Hello', ''],
  ])('%s → %s', (text, wishes) => {
    expect([...readWishes([text])].sort().join(' ')).toBe(wishes)
  })
})
