import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutKeeping } from '../../../src/contract/observation-text.js'
import { pageOf, READ_MORE_TOOL, readMoreArgs } from '../../../src/contract/read-more.js'

/** All pages of a text, each without its first line. */
function pages(text: string): string[] {
  const found: string[] = []
  for (let page = 1; ; page++) {
    const { text: shown, error } = pageOf({ text, chars: text.length }, page)
    if (error) return found
    found.push(shown.slice(shown.indexOf('\n') + 1))
  }
}

const long = fc
  .array(fc.constantFrom('word ', '😀', '中文', '\n', 'é'), { minLength: 1, maxLength: 60 })
  .chain((parts) => fc.nat(40).map((times) => parts.join('').repeat(times + 1)))

describe('the pages of what was left out', () => {
  test('join to the whole, split no character, and are no longer than an observation', () => {
    return fc.assert(
      fc.property(long, (text) => {
        const all = pages(text)
        expect(all.join('')).toBe(text)
        expect(all.every((page) => page.isWellFormed() && page.length <= 1_901)).toBe(true)
        expect(pageOf({ text, chars: text.length }, 1).text.length).toBeLessThanOrEqual(2_000)
      }),
    )
  })

  test('with what is shown are the whole observation', () => {
    return fc.assert(
      fc.property(long, (text) => {
        const { shown, rest } = cutKeeping(text, '001000101')
        expect(shown.length).toBeLessThanOrEqual(2_000)
        expect(shown.isWellFormed()).toBe(true)
        if (rest === '') {
          expect(shown).toBe(text)
          return
        }
        const [head = '', tail = ''] = shown.split(
          /\n\[… .* characters left out; read_more shows them: id "001000101" …\]\n/,
        )
        expect(head + pages(rest).join('') + tail).toBe(text)
      }),
    )
  })

  test('say which they are, and the last one what was not kept', () => {
    const rest = { text: 'x'.repeat(2_000), chars: 2_500 }
    expect(pageOf(rest, 1).text).toMatch(/^\[page 1 of 2 of what was left out\]\nx{1900}$/)
    expect(pageOf(rest, 2).text).toMatch(
      /^\[page 2 of 2 of what was left out; 500 more were not kept\]\nx{100}$/,
    )
  })

  test.each([0, -1, 3, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('have no page %d', (page) => {
    const { text, error } = pageOf({ text: 'x'.repeat(2_000), chars: 2_000 }, page)
    expect(error).toBe(true)
    expect(JSON.parse(text)).toMatchObject({
      error_type: 'invalid_arguments',
      message: 'There are pages 1 to 2.',
      retryable: false,
    })
  })

  test('of nothing are one', () => {
    expect(pageOf({ text: '', chars: 0 }, 1)).toEqual({
      text: '[page 1 of 1 of what was left out]\n',
    })
  })
})

describe('the arguments', () => {
  test.each([
    [
      { id: 'a', page: 2 },
      { id: 'a', page: 2 },
    ],
    [
      { id: 'a', page: null },
      { id: 'a', page: 1 },
    ],
    [{ id: 'a' }, { id: 'a', page: 1 }],
    [{}, { id: '', page: 1 }],
    [
      { id: 7, page: '2' },
      { id: '', page: 1 },
    ],
  ])('%j are read as %j', (args, read) => {
    expect(readMoreArgs(args)).toEqual(read)
  })
})

test('the tool is read-only, strict and runs beside others', () => {
  expect(READ_MORE_TOOL).toMatchObject({
    name: 'read_more',
    activityType: 'read_more',
    annotations: { readOnlyHint: true },
    strict: true,
    parallel: true,
    parameters: { required: ['id', 'page'], additionalProperties: false },
  })
})
