import { describe, expect, it } from 'vitest'
import { standInReply } from '../../../../examples/after-sales/stand-in-model.js'
import { say } from '../../../../src/testing/index.js'

const LIST = 'Choose:\n- angry: They shout.\n- waiting: They wait.'

function choice(...said: readonly string[]) {
  return standInReply({
    model: 'm',
    messages: [
      { role: 'system', content: LIST },
      { role: 'user', content: said.map((text) => `user: ${text}`).join('\n') },
    ],
  })
}

describe('the stand-in chooses the strategy', () => {
  it.each([
    ['This is outrageous, where is A1001?', 'angry'],
    ['Why has order A1001 not shipped?', 'waiting'],
    ['Thank you, that is all.', 'closing'],
    ['Do you sell espresso machines?', 'first contact'],
  ])('for %j: %s', (text, strategy) => {
    expect(choice(text)).toEqual(say(strategy))
  })

  it('by what was said last', () => {
    expect(choice('Where is my parcel?!!', 'Thanks!')).toEqual(say('closing'))
  })
})
