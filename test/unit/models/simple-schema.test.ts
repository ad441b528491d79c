import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isObject, type JsonObject, type JsonValue } from '../../../src/contract/json.js'
import { toJsonSchema } from '../../../src/definition/json-schema.js'
import { toStrictSchema } from '../../../src/definition/strict/strict-schema.js'
import { toSimpleSchema } from '../../../src/models/simple-schema.js'
import { jsonObject } from '../agent/arbitraries.js'
import { objectSample } from '../definition/strict/strict-arbitraries.js'

const simple = (schema: z.ZodType) => toSimpleSchema(toJsonSchema(schema, 't'))

test('only type, properties and required stay', () => {
  const input = z.object({
    query: z.string().min(2).describe('What to look for'),
    limit: z.int().max(9).default(5),
    status: z.enum(['open', 'closed']),
    kind: z.literal('x').nullable(),
    tags: z.array(z.string()).max(3),
    place: z.object({ street: z.string(), zip: z.string().optional() }).optional(),
    by: z.record(z.string(), z.string()),
    either: z.union([z.number(), z.string()]),
    mail: z.email().nullish(),
    odd: z.enum({ a: 1, b: 'x' }),
    any: z.any(),
  })
  const expected = {
    type: 'object',
    properties: {
      query: { type: 'string' },
      limit: { type: 'integer' },
      status: { type: 'string' },
      kind: { type: 'string' },
      tags: { type: 'array' },
      place: {
        type: 'object',
        properties: { street: { type: 'string' }, zip: { type: 'string' } },
        required: ['street'],
      },
      by: { type: 'object' },
      either: { type: 'number' },
      mail: { type: 'string' },
      odd: { type: 'number' },
      any: { type: 'string' },
    },
    required: ['query', 'status', 'tags', 'by', 'either', 'odd', 'any'],
  }
  expect(simple(input)).toEqual(expected)
})

test('the strict form gives the same as the plain one', () => {
  return fc.assert(
    fc.property(objectSample, ({ schema }) => {
      const json = toJsonSchema(schema, 't')
      const strict = toStrictSchema(json)
      if (strict !== null) expect(toSimpleSchema(strict)).toEqual(toSimpleSchema(json))
    }),
  )
})

describe('the root is an object', () => {
  test.each<[unknown, z.ZodType]>([
    [{ type: 'object', properties: {} }, z.object({})],
    [
      { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] },
      z.discriminatedUnion('k', [
        z.object({ k: z.literal('a') }),
        z.object({ k: z.literal('b'), n: z.number() }),
      ]),
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      z.object({ a: z.string() }).meta({ id: 'Root' }).describe('A root'),
    ],
    [{ type: 'object', properties: {} }, z.record(z.string(), z.string())],
  ])('%j', (expected, schema) => expect(simple(schema)).toEqual(expected))
})

describe('references', () => {
  test('are resolved, and recursion ends in an object', () => {
    const node = z.object({
      name: z.string(),
      get next() {
        return node.optional()
      },
      get must() {
        return node.nullable()
      },
    })
    const next = { type: 'object' }
    expect(simple(node)).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, next, must: next },
      required: ['name'],
    })
  })

  test('with odd names are found, also where a description stands beside them', () => {
    const named = z.object({ a: z.string() }).meta({ id: 'a/b~c' })
    const a = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
    expect(simple(z.object({ one: named, two: named.describe('Two') }))).toMatchObject({
      properties: { one: a, two: a },
    })
  })

  test('of many types to each other stay small', () => {
    const names = Array.from({ length: 12 }, (_, i) => `t${i}`)
    const properties = Object.fromEntries(
      names.map((name) => [name, { $ref: `#/definitions/${name}` }]),
    )
    const type = { type: 'object', properties }
    const definitions = Object.fromEntries(names.map((name) => [name, type]))
    const made = toSimpleSchema({ ...type, definitions })
    expect(JSON.stringify(made).length).toBeLessThan(1_000_000)
  })
})

test('an intersection has the properties of all parts', () => {
  const part = (name: string) => ({
    type: 'object',
    properties: { [name]: { type: 'string' } },
    required: [name],
  })
  const allOf = [part('a'), { $ref: '#/definitions/b' }]
  expect(toSimpleSchema({ type: 'object', allOf, definitions: { b: part('b') } })).toEqual({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    required: ['a', 'b'],
  })
})

test('whatever it is given, nothing else is in what it gives, and the input stays as it was', () => {
  const sample = objectSample.map(({ schema }) => toJsonSchema(schema, 't'))
  return fc.assert(
    fc.property(fc.oneof(sample, jsonObject), (json) => {
      const before = JSON.stringify(json)
      const made = toSimpleSchema(json)
      expect(JSON.stringify(json)).toBe(before)
      expect(made['type']).toBe('object')
      expect(extras(made)).toEqual([])
    }),
  )
})

/** What should not be in a simple schema. */
function extras(schema: JsonValue | undefined): unknown[] {
  if (!isObject(schema) || typeof schema['type'] !== 'string') return [schema]
  const { type: _, properties = {}, required = [], ...rest } = schema
  const fields = properties as JsonObject
  const unknown = (required as string[]).filter((name) => !Object.hasOwn(fields, name))
  return [...Object.keys(rest), ...unknown, ...Object.values(fields).flatMap(extras)]
}
