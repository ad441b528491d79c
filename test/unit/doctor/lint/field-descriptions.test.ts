import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fieldDescriptions } from '../../../../src/doctor/lint/field-descriptions.js'
import { tool } from './tools.js'

/** What is said of an input, in the strict form and in the plain one. */
function texts(input: z.ZodType): string[] {
  return [undefined, false].flatMap((strict) =>
    fieldDescriptions
      .check([tool({ input, ...(strict === undefined ? {} : { strict }) })])
      .map(({ text }) => text),
  )
}

const described = z.string().describe('Such as A1001.')
const node: z.ZodType = z.lazy(() => z.object({ name: z.string(), next: node.optional() }))

describe('an input is described', () => {
  it.each([
    ['without fields', z.object({})],
    ['by its fields', z.object({ id: described, limit: z.int().optional().describe('At most.') })],
    ['where null is allowed', z.object({ id: described.nullable(), other: described.nullish() })],
    ['in its items', z.object({ ids: z.array(described) })],
    ['in the fields of an object', z.object({ line: z.object({ sku: described }) })],
    ['where a value is always the same', z.object({ kind: z.literal('order') })],
  ])('%s', (_, input) => {
    expect(texts(input)).toEqual([])
  })
})

describe('a field without a description is named', () => {
  it.each([
    ['at the top', z.object({ id: z.string(), other: described }), 'id'],
    ['in an object', z.object({ line: z.object({ sku: z.string() }) }), 'line.sku'],
    ['in items', z.object({ lines: z.array(z.object({ sku: z.string() })) }), 'lines[].sku'],
    ['where it may be null', z.object({ id: z.string().nullable() }), 'id'],
    [
      'in one form of many',
      z.object({ by: z.union([z.object({ id: z.string() }), z.object({ name: described })]) }),
      'by.id',
    ],
  ])('%s', (_, input, path) => {
    const said = texts(input)
    expect(said).toHaveLength(2)
    for (const text of said) expect(text).toMatch(new RegExp(`describes.* ${escaped(path)}(,|$)`))
  })

  it('five at most, with the number of the others', () => {
    const input = z.object(
      Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`f${i}`, z.int()])),
    )
    expect(texts(input)[0]).toBe('nothing describes f0, f1, f2, f3, f4 and 2 more')
  })

  it('and a schema that holds itself is walked once', () => {
    expect(texts(z.object({ tree: node }))[0]).toBe('nothing describes tree.name')
  })
})

function escaped(path: string): string {
  return path.replace(/[.[\]]/g, '\\$&')
}
