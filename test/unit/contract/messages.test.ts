import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callId } from '../../../src/contract/messages.js'

const place = fc.tuple(
  fc.nat(36 ** 3 - 1),
  fc.nat(36 ** 4 - 1),
  fc.integer({ min: 1, max: 36 ** 2 - 1 }),
)

describe('the id of a call', () => {
  test('is nine letters and digits', () => {
    return fc.assert(
      fc.property(place, (at) => {
        expect(callId(...at)).toMatch(/^[a-z0-9]{9}$/)
      }),
    )
  })

  test('tells its place: no two calls share one', () => {
    return fc.assert(
      fc.property(place, (at) => {
        const id = callId(...at)
        const read = [id.slice(0, 3), id.slice(3, 7), id.slice(7)]
        expect(read.map((digits) => Number.parseInt(digits, 36))).toEqual(at)
      }),
    )
  })

  test.each([
    [1, 1, 1, '001000101'],
    [1, 36, 35, '00100100z'],
    [46_655, 1_679_615, 1_295, 'zzzzzzzzz'],
  ])('of turn %i, step %i, call %i is %s', (turn, step, call, id) => {
    expect(callId(turn, step, call)).toBe(id)
  })
})
