import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../../../src/contract/json.js'
import { toJsonSchema } from '../../../../src/definition/json-schema.js'
import { toStrictSchema } from '../../../../src/definition/strict/strict-schema.js'
import { strictViolations } from './strict-checker.js'

/** The strict form, checked; null when there is none. */
function strict(schema: z.ZodType): JsonObject | null {
  return checked(toJsonSchema(schema, 't'))
}

function checked(json: JsonObject): JsonObject | null {
  const made = toStrictSchema(json)
  if (made !== null) expect(strictViolations(made)).toEqual([])
  return made
}

const text = { type: 'string' }

describe('definitions', () => {
  test('of a recursive type refer to a copy of the root', () => {
    const node = z.object({
      name: z.string(),
      get children() {
        return z.array(node).optional()
      },
    })
    const properties = {
      name: text,
      children: {
        anyOf: [{ type: 'array', items: { $ref: '#/$defs/root' } }, { type: 'null' }],
      },
    }
    const object = {
      type: 'object',
      properties,
      required: ['name', 'children'],
      additionalProperties: false,
    }
    expect(strict(node)).toEqual({ ...object, $defs: { root: object } })
  })

  test('of types that refer to each other, nullable and optional, are all there', () => {
    const a = z.object({
      get b() {
        return b.optional()
      },
    })
    const b = z.object({
      get a() {
        return a.nullable()
      },
      get more() {
        return z.array(b)
      },
    })
    expect(strict(z.object({ a, b: b.describe('The other') }))).not.toBeNull()
    expect(strict(a)).not.toBeNull()
  })

  test('get plain names, and a description goes around the reference', () => {
    const address = z.object({ street: z.string() }).meta({ id: 'Adresse/Straße' })
    const input = z.object({
      home: address,
      work: address.describe('Where they work').optional(),
      other: address.default({ street: 'Main' }),
    })
    const ref = { $ref: '#/$defs/Adresse_Stra_e' }
    expect(strict(input)).toMatchObject({
      properties: {
        home: ref,
        work: { description: 'Where they work', anyOf: [ref, { type: 'null' }] },
        other: { description: 'Default: {"street":"Main"}.', anyOf: [ref, { type: 'null' }] },
      },
      $defs: { Adresse_Stra_e: { additionalProperties: false, required: ['street'] } },
    })
  })

  test('with names that differ only in odd characters stay two', () => {
    const [one, two] = ['a b', 'a/b'].map((id) => z.object({ [id]: z.string() }).meta({ id }))
    const made = strict(z.object({ one: one as z.ZodType, two: two as z.ZodType }))
    expect(Object.keys(made?.['$defs'] ?? {})).toHaveLength(2)
  })

  test('that nothing refers to are left out, and a root that is one becomes an object', () => {
    const input = z.object({ a: z.string() }).meta({ id: 'Input' }).describe('All of it')
    expect(strict(input)).toEqual({
      type: 'object',
      properties: { a: text },
      required: ['a'],
      additionalProperties: false,
      description: 'All of it',
    })
  })

  test('without a strict form switch strict off, unless nothing refers to them', () => {
    const definitions = { any: {}, used: { type: 'object', properties: { a: { type: 'date' } } } }
    const json = { type: 'object', properties: { a: text }, definitions }
    expect(checked(json)).not.toBeNull()
    const properties = { a: { $ref: '#/definitions/used' } }
    expect(checked({ ...json, properties })).toBeNull()
  })
})

describe('unions', () => {
  test('become anyOf, nested ones and doubles flat', () => {
    const inner = z.union([z.string(), z.array(z.string()), z.null()])
    expect(strict(z.object({ f: z.union([inner, z.string(), z.boolean()]) }))).toMatchObject({
      properties: {
        f: {
          anyOf: [text, { type: 'array', items: text }, { type: 'boolean' }, { type: 'null' }],
        },
      },
    })
  })

  test('of objects that a constant tells apart are strict', () => {
    const shapes = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('circle'), r: z.number() }),
      z.object({ kind: z.enum(['square', 'cube']), a: z.number().optional() }),
    ])
    expect(strict(z.object({ shapes: z.array(shapes) }))).not.toBeNull()
  })

  test.each<[string, boolean, z.ZodType]>([
    ['the same first key', false, z.union([z.object({ a: z.string() }), z.object({ a: z.int() })])],
    [
      'the same constant first',
      false,
      z.union([z.object({ k: z.literal('a') }), z.object({ k: z.enum(['a', 'b']) })]),
    ],
    ['first keys that differ', true, z.union([z.object({ a: z.int() }), z.object({ b: z.int() })])],
    ['no keys at all', true, z.union([z.object({}), z.object({ b: z.int() })])],
  ])('of objects with %s: strict is %j', (_, expected, union) => {
    expect(strict(z.object({ union })) !== null).toBe(expected)
  })
})

describe('intersections', () => {
  const ref = { $ref: '#/definitions/base' }
  const definitions = {
    base: { type: 'object', properties: { a: text }, required: ['a'] },
  }
  const both = (...allOf: JsonObject[]): JsonObject => ({
    type: 'object',
    properties: { f: { allOf, description: 'Both' } },
    required: ['f'],
    definitions,
  })

  test('of objects are one object', () => {
    const other = { type: 'object', properties: { a: text, b: text } }
    expect(checked(both(ref, other))?.['properties']).toEqual({
      f: {
        type: 'object',
        properties: { a: text, b: { type: ['string', 'null'] } },
        required: ['a', 'b'],
        additionalProperties: false,
        description: 'Both',
      },
    })
    const input = z.object({ a: z.string() }).and(z.object({ b: z.string() }))
    expect(strict(input)).toMatchObject({ properties: { a: text, b: text } })
  })

  test.each<[string, JsonObject]>([
    ['a property that differs', { type: 'object', properties: { a: { type: 'number' } } }],
    ['more properties', { type: 'object', additionalProperties: {} }],
    ['a union', { type: 'object', anyOf: [ref] }],
    ['a list', { type: 'array', items: text }],
    ['nothing known', { $ref: '#/definitions/none' }],
  ])('with %s have no strict form', (_, other) => expect(checked(both(ref, other))).toBeNull())
})

describe('the limits of OpenAI', () => {
  const nested = (levels: number): z.ZodType =>
    levels === 1 ? z.object({ a: z.string() }) : z.object({ a: nested(levels - 1) })
  const wide = (count: number, name = 'p') =>
    z.object(Object.fromEntries(Array.from({ length: count }, (_, i) => [name + i, z.null()])))
  const values = (count: number, chars = 1) =>
    z.enum(Array.from({ length: count }, (_, i) => `${i}`.padEnd(chars, 'x')) as [string])

  test.each<[string, z.ZodType, z.ZodType]>([
    ['10 levels', nested(10), nested(11)],
    [
      '10 levels, lists among them',
      z.object({ a: z.array(nested(8)) }),
      z.object({ a: z.array(nested(9)) }),
    ],
    ['5,000 properties', wide(5_000), wide(5_001)],
    ['1,000 enum values', z.object({ a: values(1_000) }), z.object({ a: values(1_001) })],
    [
      '15,000 characters in a large enum',
      z.object({ a: values(300, 50) }),
      z.object({ a: values(300, 51) }),
    ],
    ['120,000 characters', wide(400, 'p'.repeat(290)), wide(400, 'p'.repeat(300))],
  ])('%s, and no more', (_, within, beyond) => {
    expect(strict(within)).not.toBeNull()
    expect(strict(beyond)).toBeNull()
  })

  test('a schema of any depth is answered', () => {
    let json: JsonObject = { type: 'string' }
    for (let i = 0; i < 50_000; i++) json = { type: 'array', items: json }
    expect(toStrictSchema({ type: 'object', properties: { json } })).toBeNull()
  })
})

test('odd names of fields are names', () => {
  const json = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"null"},"$ref":{"type":"string"}},"required":["__proto__"]}',
  ) as JsonObject
  expect(JSON.stringify(checked(json))).toBe(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"null"},"$ref":{"type":["string","null"]}},"required":["__proto__","constructor","$ref"],"additionalProperties":false}',
  )
})
