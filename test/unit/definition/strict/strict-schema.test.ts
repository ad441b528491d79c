import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../../../src/contract/json.js'
import { toJsonSchema } from '../../../../src/definition/json-schema.js'
import { toStrictSchema } from '../../../../src/definition/strict/strict-schema.js'
import { strictViolations } from './strict-checker.js'

/** The strict form, checked; null when there is none. */
function strict(schema: z.ZodType): JsonObject | null {
  const made = toStrictSchema(toJsonSchema(schema, 't'))
  if (made !== null) expect(strictViolations(made)).toEqual([])
  return made
}

/** The strict form of one field. */
function field(schema: z.ZodType): unknown {
  return (strict(z.object({ f: schema }))?.['properties'] as JsonObject | undefined)?.['f'] ?? null
}

const point = { x: z.number(), y: z.number().optional() }
const strictPoint = {
  type: 'object',
  properties: { x: { type: 'number' }, y: { type: ['number', 'null'] } },
  required: ['x', 'y'],
  additionalProperties: false,
}

describe('B18: schemas that strict mode refused as they came', () => {
  test('optional, default and format in one schema get a strict form', () => {
    const input = z.object({
      a: z.string(),
      b: z.number().optional(),
      c: z.number().default(5),
      u: z.url(),
    })
    expect(strict(input)).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: ['number', 'null'] },
        c: { type: ['number', 'null'], description: 'Default: 5.' },
        u: { type: 'string' },
      },
      required: ['a', 'b', 'c', 'u'],
      additionalProperties: false,
    })
  })

  test('no arguments are an object without properties', () => {
    expect(strict(z.object({}))).toEqual({
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    })
  })

  test.each<[string, z.ZodType]>([
    ['a union', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
    ['a union of one', z.union([z.object({ a: z.string() })])],
    [
      'a discriminated union',
      z.discriminatedUnion('k', [
        z.object({ k: z.literal('a') }),
        z.object({ k: z.literal('b'), n: z.number() }),
      ]),
    ],
  ])('%s at the root has no strict form', (_, input) => expect(strict(input)).toBeNull())
})

describe('a field without a strict form switches strict off for the tool', () => {
  test.each<[string, z.ZodType]>([
    ['a record', z.record(z.string(), z.string())],
    ['a record of enum keys', z.record(z.enum(['a', 'b']), z.string())],
    ['a partial record', z.partialRecord(z.enum(['a', 'b']), z.string())],
    ['a loose object', z.looseObject({ a: z.string() })],
    ['an object with a catchall', z.object({ a: z.string() }).catchall(z.number())],
    ['a tuple', z.tuple([z.string(), z.number()])],
    ['a tuple with a rest', z.tuple([z.string()]).rest(z.number())],
    ['anything', z.any()],
    ['the unknown', z.unknown()],
    ['any JSON', z.json()],
    ['nothing', z.never()],
    ['a list of anything', z.array(z.any())],
    ['types that exclude each other', z.string().and(z.number())],
    ['a described anything', z.any().describe('whatever')],
  ])('%s, required or optional, at any depth', (_, type) => {
    expect(field(type)).toBeNull()
    expect(field(type.optional())).toBeNull()
    expect(field(z.array(z.object({ deep: type })))).toBeNull()
  })

  test.each<JsonObject>([
    { type: 'object', patternProperties: { '^a': { type: 'string' } } },
    { type: 'object', propertyNames: { type: 'string' } },
    { type: 'object', properties: { a: true } },
    { type: 'object', properties: {}, required: ['a'] },
    { type: 'object', properties: { a: { $ref: '#/definitions/none' } } },
    { type: 'object', properties: { a: { type: 'array' } } },
    {
      type: 'object',
      properties: { a: { type: 'array', prefixItems: [], items: { type: 'null' } } },
    },
    { type: 'object', properties: { a: { anyOf: [] } } },
    { type: 'object', properties: { a: { enum: [] } } },
    { type: 'object', properties: { a: { enum: [{}] } } },
    { type: 'object', properties: { a: { type: 'string', anyOf: [{ type: 'string' }] } } },
    { type: 'object', properties: { a: { type: 'date' } } },
    { type: 'object', properties: { a: { allOf: [] } } },
    { type: 'object', properties: { a: { allOf: [true, { type: 'string' }] } } },
    {
      type: 'object',
      properties: { a: { $ref: '#/definitions/a' } },
      definitions: { a: { allOf: [{ $ref: '#/definitions/a' }, { type: 'string' }] } },
    },
    { type: 'string' },
    {},
  ])('written by hand: %j', (json) => expect(toStrictSchema(json)).toBeNull())
})

describe('a field that may be left out takes null', () => {
  test.each<[string, z.ZodType, unknown]>([
    ['text', z.string(), { type: ['string', 'null'] }],
    ['an enum', z.enum(['a', 'b']), { type: ['string', 'null'], enum: ['a', 'b', null] }],
    ['a constant', z.literal('x'), { type: ['string', 'null'], enum: ['x', null] }],
    ['a number', z.literal(1), { type: ['number', 'null'], enum: [1, null] }],
    ['null', z.null(), { type: 'null' }],
    ['a nullable', z.string().nullable(), { type: ['string', 'null'] }],
    ['an object', z.object(point), { anyOf: [strictPoint, { type: 'null' }] }],
    [
      'a list',
      z.array(z.int().min(1).max(3)).min(2),
      {
        anyOf: [
          { type: 'array', items: { type: 'integer', minimum: 1, maximum: 3 }, minItems: 2 },
          { type: 'null' },
        ],
      },
    ],
    [
      'a union',
      z.union([z.string(), z.number()]),
      { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    ],
    [
      'constants of several types',
      z.literal([1, 'a', null]),
      { anyOf: [{ type: 'number', enum: [1] }, { type: 'string', enum: ['a'] }, { type: 'null' }] },
    ],
  ])('%s', (_, type, expected) => expect(field(type.optional())).toEqual(expected))

  test('and a required one does not', () => {
    expect(field(z.literal('x'))).toEqual({ type: 'string', const: 'x' })
    expect(field(z.object(point))).toEqual(strictPoint)
  })

  test('is told its default in the words of its description', () => {
    const told = (type: z.ZodType) => (field(type) as JsonObject)['description']
    expect(told(z.string().describe('How').default('a"b'))).toBe('How. Default: "a\\"b".')
    expect(told(z.string().describe('How?').default('x'))).toBe('How? Default: "x".')
    expect(told(z.array(z.string()).default([]))).toBe('Default: [].')
    expect(told(z.boolean().default(false).describe('Why.'))).toBe('Why. Default: false.')
    expect(told(z.string().nullable().default(null))).toBeUndefined()
    expect(told(z.string().default('x'.repeat(999)))).toHaveLength(210)
  })
})

describe('what strict mode cannot say of a value is left to zod', () => {
  test.each<[string, z.ZodType, unknown]>([
    ['lengths', z.string().min(2).max(3), { type: 'string' }],
    ['an unknown format', z.url(), { type: 'string' }],
    ['a pattern with lookaround', z.string().regex(/^(?!a)b$/), { type: 'string' }],
    ['a pattern that refers back', z.string().regex(/^(a|b)\1$/), { type: 'string' }],
    ['a pattern with word ends', z.string().regex(/\bx/), { type: 'string' }],
    ['a pattern of several', z.string().regex(/^$|^a$/), { type: 'string' }],
    ['metadata', z.string().meta({ title: 'T', examples: ['x'], x: 1 }), { type: 'string' }],
    ['a read-only mark', z.string().readonly(), { type: 'string' }],
    ['a second pattern', z.string().regex(/^a/).endsWith('z'), { type: 'string', pattern: '^a' }],
  ])('%s', (_, type, expected) => expect(field(type)).toEqual(expected))

  test('uniqueItems too', () => {
    const items = { type: 'string' }
    const list = { type: 'array', items, uniqueItems: true, contains: {}, maxItems: 3 }
    const made = toStrictSchema({ type: 'object', properties: { list }, required: ['list'] })
    expect(made?.['properties']).toEqual({ list: { type: 'array', items, maxItems: 3 } })
  })
})

test('what it can say stays', () => {
  expect(field(z.iso.date())).toMatchObject({ type: 'string', format: 'date' })
  expect(field(z.email())).toMatchObject({ type: 'string', format: 'email' })
  expect(field(z.string().regex(/^[a-z^$]+\$?$/))).toEqual({
    type: 'string',
    pattern: '^[a-z^$]+\\$?$',
  })
  expect(field(z.number().gt(1).lte(9).multipleOf(2))).toEqual({
    type: 'number',
    exclusiveMinimum: 1,
    maximum: 9,
    multipleOf: 2,
  })
})
