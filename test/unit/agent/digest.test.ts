import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { digestOf, extendDigest, fingerprint, startDigest } from '../../../src/agent/digest.js'
import type { Message } from '../../../src/contract/messages.js'
import { anyText, steps, wellFormedText } from './arbitraries.js'
import { manifestOf } from './manifests.js'

const manifest = manifestOf()
const user = (text: string): Message => ({ role: 'user', text })
const conversation: fc.Arbitrary<Message[]> = fc
  .tuple(wellFormedText.map(user), steps(wellFormedText))
  .map(([first, rest]) => [first, ...rest])

describe('the digest', () => {
  test('is 16 hexadecimal digits', () => {
    return fc.assert(
      fc.property(conversation, (messages) => {
        expect(digestOf(manifest, messages)).toMatch(/^[0-9a-f]{16}$/)
      }),
    )
  })

  test('of no messages is that of the manifest', () => {
    expect(digestOf(manifest, [])).toBe(startDigest(manifest))
  })

  test('depends on the manifest', () => {
    const other = { ...manifest, instructions: 'Answer!' }
    expect(digestOf(other, [user('hi')])).not.toBe(digestOf(manifest, [user('hi')]))
  })

  test('depends on the order of the messages', () => {
    const [a, b] = [user('a'), user('b')]
    expect(digestOf(manifest, [a, b])).not.toBe(digestOf(manifest, [b, a]))
  })

  test('depends on where one message ends and the next begins', () => {
    expect(digestOf(manifest, [user('a'), user('b')])).not.toBe(digestOf(manifest, [user('ab')]))
    expect(digestOf(manifest, [user('a'), user('')])).not.toBe(digestOf(manifest, [user('a')]))
  })

  test('depends on the role', () => {
    const tool: Message = { role: 'tool', id: '', text: 'a' }
    expect(digestOf(manifest, [tool])).not.toBe(digestOf(manifest, [user('a')]))
  })

  test('depends on every digit of the digest before', () => {
    const before = '0'.repeat(16)
    const others = Array.from(before, (_, i) => `${before.slice(0, i)}1${before.slice(i + 1)}`)
    const after = [before, ...others].map((digest) => extendDigest(digest, user('a')))
    expect(new Set(after).size).toBe(17)
  })

  test('is the same when it grows message by message, from any point on', () => {
    return fc.assert(
      fc.property(conversation, fc.nat(20), (messages, at) => {
        const head = digestOf(manifest, messages.slice(0, at))
        const whole = messages.slice(at).reduce(extendDigest, head)
        expect(whole).toBe(digestOf(manifest, messages))
      }),
    )
  })

  test('is the same after a way through JSON', () => {
    return fc.assert(
      fc.property(conversation, (messages) => {
        const copy = JSON.parse(JSON.stringify({ manifest, messages }))
        expect(digestOf(copy.manifest, copy.messages)).toBe(digestOf(manifest, messages))
      }),
    )
  })

  test('tells different conversations apart', () => {
    const different = fc.uniqueArray(conversation, {
      selector: (messages) => JSON.stringify(messages),
      minLength: 30,
      maxLength: 60,
    })
    return fc.assert(
      fc.property(different, (conversations) => {
        const digests = conversations.map((messages) => digestOf(manifest, messages))
        expect(new Set(digests).size).toBe(conversations.length)
      }),
      { numRuns: 40 },
    )
  })
})

describe('a fingerprint', () => {
  test('is 16 hexadecimal digits, for the empty text too', () => {
    expect(fingerprint('')).toMatch(/^[0-9a-f]{16}$/)
  })

  test('is the same for the same text and another for another', () => {
    return fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(fingerprint(a) === fingerprint(b)).toBe(a === b)
      }),
    )
  })

  test('tells apart all texts of up to two ASCII characters, and 65,536 counters', () => {
    const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
    const pairs = ascii.flatMap((a) => ascii.map((b) => a + b))
    const counters = Array.from({ length: 65_536 }, (_, i) => `order ${i}`)
    const texts = ['', ...ascii, ...pairs, ...counters]
    expect(new Set(texts.map(fingerprint)).size).toBe(texts.length)
  })
})
