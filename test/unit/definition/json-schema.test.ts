import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { DefinitionError } from '../../../src/definition/definition-error.js'
import { toJsonSchema } from '../../../src/definition/json-schema.js'

const convert = (schema: z.ZodType) => toJsonSchema(schema, 'tool "t"')

describe('the JSON schema of a tool', () => {
  test('leaves optional and default fields out of required, and keeps the default', () => {
    const input = z.object({ a: z.string(), b: z.number().optional(), c: z.number().default(5) })
    expect(convert(input)).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'number' },
        c: { type: 'number', default: 5 },
      },
      required: ['a'],
    })
  })

  test('lists the values of an enum', () => {
    const { properties } = convert(z.object({ status: z.enum(['open', 'closed']) }))
    expect(properties).toEqual({ status: { type: 'string', enum: ['open', 'closed'] } })
  })

  test('keeps nesting, arrays and limits', () => {
    const input = z.object({ lines: z.array(z.object({ sku: z.string().min(2) })).max(9) })
    expect(convert(input)['properties']).toEqual({
      lines: {
        type: 'array',
        maxItems: 9,
        items: {
          type: 'object',
          properties: { sku: { type: 'string', minLength: 2 } },
          required: ['sku'],
        },
      },
    })
  })

  test('tells a nullable field from an optional one', () => {
    expect(convert(z.object({ a: z.string().nullable() }))).toMatchObject({
      properties: { a: { type: ['string', 'null'] } },
      required: ['a'],
    })
  })

  test('hands descriptions on', () => {
    expect(convert(z.object({ id: z.string().describe('The order number') }))).toMatchObject({
      properties: { id: { description: 'The order number' } },
    })
  })

  test('takes the rows that reports name: a URL and a record', () => {
    const input = z.object({ u: z.url(), h: z.record(z.string(), z.string()) })
    expect(convert(input)['properties']).toMatchObject({
      u: { type: 'string', format: 'uri' },
      h: { type: 'object', additionalProperties: { type: 'string' } },
    })
  })

  test('of no arguments is an object all the same', () => {
    expect(convert(z.object({}))).toEqual({ type: 'object', properties: {} })
  })

  test('names no dialect: some servers refuse the key', () => {
    expect(convert(z.object({}))).not.toHaveProperty('$schema')
  })

  test('of a recursive type refers to itself', () => {
    const node = z.object({
      get children() {
        return z.array(node)
      },
    })
    expect(convert(node)).toMatchObject({
      properties: { children: { type: 'array', items: { $ref: '#' } } },
    })
  })
})

describe('a type that changes on the way in', () => {
  test.each<[string, z.ZodType, object]>([
    ['a transform', z.string().transform((text) => new Date(text)), { type: 'string' }],
    ['a pipe', z.string().pipe(z.coerce.date()), { type: 'string' }],
    ['a transform into a pipe', z.string().transform(Number).pipe(z.number()), { type: 'string' }],
    ['a preprocess', z.preprocess((value) => value, z.number()), { type: 'number' }],
    ['a coercion', z.coerce.number(), { type: 'number' }],
    ['a text that means a boolean', z.stringbool(), { type: 'string' }],
  ])('is what the model sends: %s', (_, field, schema) => {
    expect(convert(z.object({ field }))['properties']).toEqual({ field: schema })
  })

  test('may change the whole input', () => {
    const input = z.object({ id: z.string() }).transform(({ id }) => id)
    expect(convert(input)).toMatchObject({ type: 'object', required: ['id'] })
  })
})

describe('a type that JSON cannot hold', () => {
  test.each<[string, z.ZodType]>([
    ['date', z.date()],
    ['date', z.coerce.date()],
    ['date', z.date().optional()],
    ['date', z.date().nullable()],
    ['date', z.date().default(() => new Date())],
    ['bigint', z.bigint()],
    ['map', z.map(z.string(), z.string())],
    ['set', z.set(z.string())],
    ['symbol', z.symbol()],
    ['nan', z.nan()],
    ['undefined', z.undefined()],
    ['void', z.void()],
    ['custom', z.instanceof(Date)],
    ['custom', z.custom<string>(() => true)],
    ['promise', z.promise(z.string())],
  ])('is named with its field: %s', (type, when) => {
    expect(() => convert(z.object({ id: z.string(), when }))).toThrow(
      new RegExp(`^tool "t": input\\.when(\\.anyOf\\.0)? is a ${type}, which JSON cannot hold\\.`),
    )
  })

  test.each<[string, z.ZodType]>([
    ['input.a.b.when', z.object({ a: z.object({ b: z.object({ when: z.date() }) }) })],
    ['input.list.items.when', z.object({ list: z.array(z.object({ when: z.date() })) })],
    ['input.pair.items.1', z.object({ pair: z.tuple([z.string(), z.date()]) })],
    ['input.either.anyOf.1', z.object({ either: z.union([z.string(), z.date()]) })],
    ['input.by.additionalProperties', z.object({ by: z.record(z.string(), z.date()) })],
    ['input.anyOf.1.when', z.union([z.object({}), z.object({ when: z.date() })])],
    ['input', z.date()],
  ])('is named with its path: %s', (path, schema) => {
    expect(() => convert(schema)).toThrow(`tool "t": ${path} is a date`)
  })

  test('is an error of the definition', () => {
    expect(() => convert(z.object({ when: z.date() }))).toThrow(DefinitionError)
  })
})

describe('the root', () => {
  const a = z.object({ kind: z.literal('a') })
  const b = z.object({ kind: z.literal('b'), n: z.number() })

  test.each<[string, z.ZodType, string]>([
    ['a union', z.union([a, b]), 'anyOf'],
    ['a discriminated union', z.discriminatedUnion('kind', [a, b]), 'oneOf'],
  ])('says that it is an object for %s of objects', (_, schema, keyword) => {
    expect(convert(schema)).toMatchObject({
      type: 'object',
      [keyword]: [{ type: 'object' }, { type: 'object', required: ['kind', 'n'] }],
    })
  })

  test('is an object for an intersection of objects and for a record', () => {
    const both = z.intersection(z.object({ x: z.string() }), z.object({ y: z.string() }))
    expect(convert(both)['type']).toBe('object')
    expect(convert(z.record(z.string(), z.number()))['type']).toBe('object')
  })

  test.each<[string, z.ZodType]>([
    ['a string', z.string()],
    ['an array of objects', z.array(a)],
    ['a union with something else', z.union([a, z.string()])],
    ['an object or null', a.nullable()],
    ['anything', z.any()],
  ])('cannot be %s', (_, schema) => {
    expect(() => convert(schema)).toThrow('tool "t": input must be an object schema')
  })
})
