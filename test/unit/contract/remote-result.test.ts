import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { observationOf } from '../../../src/activities/observation.js'
import { messageText } from '../../../src/contract/observation-text.js'
import { remoteObservation } from '../../../src/contract/remote-result.js'

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'core'
  for (let i = 0; i < depth; i++) value = wrap(value)
  return value
}

describe('what a remote tool returns', () => {
  it.each([
    [undefined, '(done; the tool returned no result)'],
    [null, '(done; the tool returned no result)'],
    ['  ', '(the result is an empty text)'],
    [[], '[] (the result is empty)'],
    [{}, '{} (the result is empty)'],
    ['text', 'text'],
    [0, '0'],
    [false, 'false'],
    [{ text: 'a', error: true }, '{"text":"a","error":true}'],
    [new Uint8Array(1_500), '[binary, 2 kB, left out]'],
    [JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
    ['half \ud83d', 'half \ufffd'],
  ])('%j reads as %s', (value, text) => {
    expect(remoteObservation(value)).toBe(text)
  })

  it('is cut in its middle, and without base64', () => {
    expect(remoteObservation('x'.repeat(1_000_000))).toMatch(
      /^x+\n\[… 998060 of 1000000 .* …\]\nx+$/,
    )
    const image = Buffer.from(Array.from({ length: 900 }, (_, i) => (i * 7_919) % 251))
    expect(remoteObservation({ image: `data:image/png;base64,${image.toString('base64')}` })).toBe(
      '{"image":"[image/png, 1 kB, left out]"}',
    )
  })

  it.each([19, 20, 21, 22, 200_000])('may be nested %i levels deep, as of a tool here', (depth) => {
    for (const wrap of [(v: unknown) => [v], (v: unknown) => ({ v })]) {
      const value = nested(depth, wrap)
      expect(remoteObservation(value)).toBe(observationOf(value))
    }
  })
})

test('any JSON reads as if a tool in TypeScript had returned it', () => {
  return fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 25 }), (value) => {
      expect(remoteObservation(value)).toBe(observationOf(value))
    }),
  )
})

test('the message of an error is the same when it is read a second time', () => {
  return fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 5_000 }), (text) => {
      const once = messageText(text)
      expect(messageText(once)).toBe(once)
      expect(once.length <= 2_000 && once.isWellFormed()).toBe(true)
    }),
  )
})
