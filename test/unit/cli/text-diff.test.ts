import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textDiff } from '../../../src/cli/text-diff.js'

function lines(before: string, after: string): string[] {
  return textDiff(before, after).map(({ mark, text }) => mark + text)
}

describe('textDiff', () => {
  it('shows what went and what came, with one line around', () => {
    expect(lines('a\nb\nc\nd\ne', 'a\nb\nx\nd\ne')).toEqual([' b', '-c', '+x', ' d'])
    expect(lines('a', 'a\nb')).toEqual([' a', '+b'])
    expect(lines('a\nb', 'b')).toEqual(['-a', ' b'])
  })

  it('shows nothing of equal texts', () => {
    expect(lines('a\nb', 'a\nb')).toEqual([])
  })

  it('of every pair of texts tells all lines that went and came', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = textDiff(before.join('\n'), after.join('\n'))
        const count = (mark: string) => diff.filter((line) => line.mark === mark).length
        expect(count('+') - count('-')).toBe(
          after.join('\n').split('\n').length - before.join('\n').split('\n').length,
        )
        if (before.join('\n') !== after.join('\n')) expect(diff.length).toBeGreaterThan(0)
      }),
    )
  })

  it('compares no texts that are too long, but shows both', () => {
    const long = Array.from({ length: 3_000 }, (_, i) => `${i}`).join('\n')
    expect(lines(long, `${long}\nx`)).toHaveLength(6_001)
  })
})
