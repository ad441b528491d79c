import { describe, expect, it } from 'vitest'
import { addCallDelta, type CallDelta, type OpenCall } from '../../../src/models/assemble-calls.js'

function assembled(...deltas: readonly CallDelta[]): { name: string; args: unknown }[] {
  const calls: OpenCall[] = []
  for (const delta of deltas) addCallDelta(calls, delta)
  return calls.map(({ name, args }) => ({ name, args }))
}

const SUM = { name: 'add', args: '{"a":1,"b":2}' }

describe('pieces of one call', () => {
  it('belong together by index', () => {
    expect(
      assembled(
        { index: 0, id: 'c1', name: 'add', args: '' },
        { index: 0, args: '{"a":1' },
        { index: 0, args: ',"b":2}' },
      ),
    ).toEqual([SUM])
  })

  it('belong together without index (B21)', () => {
    expect(assembled({ id: 'c1', name: 'add', args: '{"a":1' }, { args: ',"b":2}' })).toEqual([SUM])
  })

  it('belong together with neither index nor id', () => {
    expect(assembled({ name: 'add', args: '{"a":1' }, { args: ',"b":2}' })).toEqual([SUM])
  })

  it('belong together by an id that each piece repeats', () => {
    expect(
      assembled({ id: 'c1', name: 'add', args: '{"a":1' }, { id: 'c1', args: ',"b":2}' }),
    ).toEqual([SUM])
  })

  it('may begin without an id and get it later, by index', () => {
    expect(
      assembled({ index: 0, name: 'add', args: '{"a":1' }, { index: 0, id: 'c1', args: ',"b":2}' }),
    ).toEqual([SUM])
  })

  it('may repeat the name', () => {
    const piece = { index: 0, id: 'c1', name: 'add' }
    expect(
      assembled(
        { ...piece, args: '{"a":1' },
        { ...piece, args: ',"b":2}' },
        { ...piece, args: '' },
      ),
    ).toEqual([SUM])
  })

  it('may repeat the name without index and id', () => {
    expect(assembled({ name: 'add', args: '{"a":1' }, { name: 'add', args: ',"b":2}' })).toEqual([
      SUM,
    ])
  })

  it('may bring the name in pieces', () => {
    expect(
      assembled(
        { index: 0, id: 'c1', name: 'get_', args: '' },
        { index: 0, name: 'weather' },
        { index: 0, args: '{}' },
      ),
    ).toEqual([{ name: 'get_weather', args: '{}' }])
  })

  it('may bring the name after the arguments began', () => {
    expect(
      assembled({ index: 0, id: 'c1', args: '{' }, { index: 0, name: 'a', args: '}' }),
    ).toEqual([{ name: 'a', args: '{}' }])
  })

  it('may hold null, empty texts and nothing', () => {
    const nothing = { index: null, id: null, name: null, args: null }
    expect(
      assembled(
        { id: 'c1', name: 'add', args: null },
        nothing,
        { id: '', name: '', args: '{"a":1,' },
        {},
        { args: '"b":2}' },
        nothing,
      ),
    ).toEqual([SUM])
  })

  it('may bring the arguments as an object', () => {
    expect(assembled({ index: 0, id: 'c1', name: 'add', args: { a: 1 } })).toEqual([
      { name: 'add', args: { a: 1 } },
    ])
    expect(assembled({ id: 'c1', name: 'add' }, { args: { a: 1 } })).toEqual([
      { name: 'add', args: { a: 1 } },
    ])
  })

  it('do not lose an object to an empty text that follows', () => {
    const first = { index: 0, id: 'c1', name: 'add', args: { a: 1 } }
    expect(assembled(first, { index: 0, args: '' })).toEqual([{ name: 'add', args: { a: 1 } }])
  })
})

describe('two calls', () => {
  const A = { name: 'a', args: '{"x":1}' }
  const B = { name: 'b', args: '{"y":2}' }

  it('are told apart by index, in any order of pieces', () => {
    expect(
      assembled(
        { index: 0, id: 'c1', name: 'a', args: '{"x"' },
        { index: 1, id: 'c2', name: 'b', args: '{"y"' },
        { index: 0, args: ':1}' },
        { index: 1, args: ':2}' },
      ),
    ).toEqual([A, B])
  })

  it('are told apart by id where there is no index (B21)', () => {
    expect(
      assembled(
        { id: 'c1', name: 'a', args: '{"x"' },
        { args: ':1}' },
        { id: 'c2', name: 'b', args: '{"y"' },
        { args: ':2}' },
      ),
    ).toEqual([A, B])
  })

  it('are told apart by id where all have index 0', () => {
    expect(
      assembled(
        { index: 0, id: 'c1', name: 'a', args: '{"x"' },
        { index: 0, args: ':1}' },
        { index: 0, id: 'c2', name: 'b', args: '{"y"' },
        { index: 0, args: ':2}' },
      ),
    ).toEqual([A, B])
  })

  it('are told apart by id where all have index 0, and their pieces alternate', () => {
    expect(
      assembled(
        { index: 0, id: 'c1', name: 'a', args: '{"x"' },
        { index: 0, id: 'c2', name: 'b', args: '{"y"' },
        { index: 0, id: 'c1', args: ':1}' },
        { index: 0, id: 'c2', args: ':2}' },
      ),
    ).toEqual([A, B])
  })

  it('are told apart by index where all have the same id', () => {
    expect(assembled({ index: 0, id: 'c', ...A }, { index: 1, id: 'c', ...B })).toEqual([A, B])
  })

  it.each([
    ['neither index nor id', {}],
    ['index 0 and no id', { index: 0 }],
    ['the same id and no index', { id: 'c' }],
    ['index 0 and the same id', { index: 0, id: 'c' }],
  ])('are told apart with %s, since the first one is complete', (_what, same) => {
    expect(assembled({ ...same, ...A }, { ...same, ...B })).toEqual([A, B])
  })

  it('are one when the second is the first one said again, whole, by the same id', () => {
    const pieces = [{ id: 'c1', name: 'a', args: '{"x"' }, { args: ':1}' }]
    expect(assembled(...pieces, { id: 'c1', ...A })).toEqual([A])
    const byIndex = pieces.map((piece) => ({ index: 0, ...piece }))
    expect(assembled(...byIndex, { index: 0, id: 'c1', ...A })).toEqual([A])
  })

  it('of one tool are two, though their names are the same', () => {
    expect(assembled({ ...A }, { ...A })).toEqual([A, A])
  })

  it('may both take no arguments', () => {
    expect(
      assembled({ id: 'c1', name: 'ping', args: '' }, { id: 'c2', name: 'pong', args: '' }),
    ).toEqual([
      { name: 'ping', args: '' },
      { name: 'pong', args: '' },
    ])
  })

  it('may bring their arguments as objects', () => {
    expect(assembled({ name: 'a', args: { x: 1 } }, { name: 'b', args: { y: 2 } })).toEqual([
      { name: 'a', args: { x: 1 } },
      { name: 'b', args: { y: 2 } },
    ])
  })
})
