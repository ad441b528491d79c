import { expect, test } from 'vitest'
import { z } from 'zod'
import { DefinitionError } from '../../../src/definition/definition-error.js'
import { toJsonSchema } from '../../../src/definition/json-schema.js'

test('an input with a registry id keeps its object at the root', () => {
  const schema = toJsonSchema(z.object({ a: z.string() }).meta({ id: 'LookupInput' }), 't')
  expect(schema).toMatchObject({ type: 'object', properties: { a: { type: 'string' } } })
  expect(schema).not.toHaveProperty('$ref')
})

test('unions of unions and of named objects are objects', () => {
  const named = z.object({ b: z.string() }).meta({ id: 'Named' })
  const nested = z.union([z.union([z.object({}), z.object({})]), z.object({})])
  for (const schema of [z.union([named, z.object({})]), nested]) {
    expect(toJsonSchema(schema, 't')).toMatchObject({ type: 'object', anyOf: expect.any(Array) })
  }
  const mixed = z.union([z.object({}), z.string()])
  expect(() => toJsonSchema(mixed, 't')).toThrow('must be an object schema')
})

test.each([
  ['bigint literal', z.literal(1n)],
  ['undefined literal', z.literal([undefined, 'a'])],
  ['file', z.file()],
])('a %s is refused, since JSON cannot hold it', (type, field) => {
  const refused = () => toJsonSchema(z.object({ a: field }), 't')
  expect(refused).toThrow(DefinitionError)
  expect(refused).toThrow(`t: input.a is a ${type},`)
})

test('a field named properties keeps its name in an error', () => {
  const input = z.object({ properties: z.object({ properties: z.date() }) })
  expect(() => toJsonSchema(input, 't')).toThrow('input.properties.properties is a date')
})
