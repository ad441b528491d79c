import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { append, shrink } from '../../../src/agent/conversation.js'
import { digestOf } from '../../../src/agent/digest.js'
import { estimatedSize } from '../../../src/agent/sizes.js'
import type { Message } from '../../../src/contract/messages.js'
import type { RunState } from '../../../src/contract/run.js'
import { steps, wellFormedText } from './arbitraries.js'
import { stateOf } from './manifests.js'

const observation = fc
  .tuple(wellFormedText, fc.nat(60))
  .map(([text, times]) => text.repeat(times + 1))

function stateWith(messages: readonly Message[], sizes: readonly number[] = []): RunState {
  const state = stateOf()
  for (const [i, message] of messages.entries()) append(state, message, sizes[i])
  return state
}

function bytes(state: RunState): number {
  return Buffer.byteLength(JSON.stringify(state))
}

test('shrinking fits or says that it cannot, and breaks nothing', () => {
  return fc.assert(
    fc.property(
      steps(observation),
      fc.array(fc.nat(9_999)),
      fc.double({ min: 0, max: 1.1, noNaN: true }),
      (messages, counted, part) => {
        const state = stateWith(messages, counted)
        const before = structuredClone(state)
        const limit = Math.round(bytes(state) * part)
        const fits = shrink(state, limit)

        expect(bytes(state) <= limit).toBe(fits)
        expect(bytes(state)).toBeLessThanOrEqual(bytes(before))
        expect(state.digest).toBe(digestOf(state.manifest, state.messages))
        const { messages: after, sizes, ...rest } = state
        const { sizes: sizesBefore, ...restBefore } = before
        expect({ ...rest, digest: '' }).toEqual({ ...restBefore, messages: undefined, digest: '' })
        expect(sizes).toEqual(
          after.map((message, i) =>
            message === before.messages[i] || message.text === before.messages[i]?.text
              ? sizesBefore?.[i]
              : estimatedSize(message),
          ),
        )
        const withoutTexts = (list: readonly Message[]) =>
          list.map((message) => (message.role === 'tool' ? { ...message, text: '' } : message))
        expect(withoutTexts(after)).toEqual(withoutTexts(before.messages))
      },
    ),
  )
})

describe('a conversation with long observations', () => {
  const long = (text: string) => text.repeat(2000)
  const state = () =>
    stateWith(
      ['a', 'b', 'c'].flatMap((letter, i): Message[] => [
        { role: 'assistant', text: letter, calls: [], turn: 1, step: i + 1 },
        { role: 'tool', id: `00100010${i + 1}`, text: long(letter) },
      ]),
    )
  const observations = ({ messages }: RunState) =>
    messages.flatMap(({ role, text }) => (role === 'tool' ? [text] : []))

  test('is left alone when it fits exactly', () => {
    const one = state()
    expect(shrink(one, bytes(one))).toBe(true)
    expect(one).toEqual(state())
  })

  test('loses its oldest observation first, and no more than it must', () => {
    const one = state()
    expect(shrink(one, bytes(one) - 1)).toBe(true)
    expect(observations(one)).toEqual([
      '[an old result, dropped because the conversation grew too long]',
      long('b'),
      long('c'),
    ])
  })

  test('loses none when even that does not help', () => {
    const one = state()
    const before = structuredClone(one)
    expect(shrink(one, 10)).toBe(false)
    expect(one).toEqual(before)
  })

  test('counts bytes, not characters', () => {
    const one = stateWith([{ role: 'tool', id: '001000101', text: long('中') }])
    const limit = JSON.stringify(one).length
    expect(shrink(one, limit)).toBe(true)
    expect(bytes(one)).toBeLessThanOrEqual(limit)
  })

  test('can be shrunk again and stays the same', () => {
    const one = state()
    const limit = bytes(one) - 1
    expect(shrink(one, limit)).toBe(true)
    const once = structuredClone(one)
    expect(shrink(one, limit)).toBe(true)
    expect(one).toEqual(once)
  })
})

describe('what only saves work', () => {
  const saved = { tool: 'search', text: 'x'.repeat(500), turn: 1, at: 0, source: '1.1.1' }
  const rest = { text: 'y'.repeat(500), chars: 500 }
  const state = (): RunState => ({
    ...stateWith([{ role: 'tool', id: '001000101', text: 'z'.repeat(500) }]),
    cache: { a: saved },
    rests: { '001000101': rest },
  })

  test.each([
    [1, ['messages', 'rests']],
    [600, ['messages']],
    [1_400, []],
  ])('is dropped before any observation: %i bytes too many', (excess, left) => {
    const one = state()
    const before = state()
    const limit = bytes(one) - excess
    expect(shrink(one, limit)).toBe(true)
    expect(bytes(one)).toBeLessThanOrEqual(limit)
    const parts = ['cache', 'messages', 'rests'] as const
    expect(
      parts.filter((part) => JSON.stringify(one[part]) === JSON.stringify(before[part])),
    ).toEqual(left)
    expect([one.cache]).toEqual([undefined])
  })

  test('stays where it would not help', () => {
    const one = state()
    expect(shrink(one, 10)).toBe(false)
    expect(one).toEqual(state())
  })

  test('is dropped of a state without sizes too', () => {
    const { sizes: _, ...old } = state()
    expect(shrink(old, bytes(state()) - 1_400)).toBe(true)
    expect(bytes(old)).toBeLessThanOrEqual(bytes(state()) - 1_400)
    expect(old).toHaveProperty('sizes')
  })
})
