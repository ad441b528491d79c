import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readArguments } from '../../../../src/activities/read-arguments.js'
import type { JsonObject } from '../../../../src/contract/json.js'
import { toJsonSchema } from '../../../../src/definition/json-schema.js'
import { toStrictSchema } from '../../../../src/definition/strict/strict-schema.js'
import { jsonObject } from '../../agent/arbitraries.js'
import { objectSample } from './strict-arbitraries.js'
import { strictViolations } from './strict-checker.js'

const SCHEMAS = { numRuns: 500 }

test('a random schema has a strict form exactly when it holds nothing that strict mode cannot say', () => {
  return fc.assert(
    fc.property(objectSample, ({ schema, strict }) => {
      const json = toJsonSchema(schema, 't')
      const before = JSON.stringify(json)
      const made = toStrictSchema(json)
      expect(JSON.stringify(json)).toBe(before)
      expect(made !== null).toBe(strict)
      if (made !== null) expect(strictViolations(made)).toEqual([])
    }),
    SCHEMAS,
  )
})

const sampleWithValue = objectSample
  .filter(({ strict }) => strict)
  .chain(({ schema, value }) => value.map((given) => ({ schema, ...given })))

test('a value with nulls for what is left out fits the strict form, and reads like the value without', () => {
  return fc.assert(
    fc.asyncProperty(sampleWithValue, async ({ schema, plain, nulled }) => {
      const strict = toStrictSchema(toJsonSchema(schema, 't')) ?? {}
      const check = z.fromJSONSchema(strict as z.core.JSONSchema.JSONSchema)
      expect(check.safeParse(nulled).error).toBeUndefined()
      const read = await readArguments(JSON.stringify(nulled), schema)
      expect(read).toMatchObject({ ok: true })
      expect(schema.parse(read.args)).toEqual(schema.parse(JSON.parse(JSON.stringify(plain))))
    }),
    SCHEMAS,
  )
})

const keyword = fc.constantFrom(
  ...[
    'type',
    'properties',
    'required',
    'items',
    'anyOf',
    'oneOf',
    'allOf',
    'enum',
    'const',
    '$ref',
  ],
  ...[
    'additionalProperties',
    'definitions',
    '$defs',
    'description',
    'default',
    'format',
    'pattern',
  ],
)
const words = fc.constantFrom('object', 'array', 'string', 'null', 'a', '#', '#/definitions/a')
const nonsense = fc.letrec<{ value: unknown; schema: JsonObject }>((tie) => ({
  schema: fc
    .array(fc.tuple(fc.oneof(keyword, keyword, words), tie('value')), { maxLength: 5 })
    .map((entries) => Object.fromEntries(entries) as JsonObject),
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.oneof(words, fc.constantFrom(null, true, false, 0, '')),
    tie('schema'),
    fc.array(fc.oneof(words, tie('schema')), { maxLength: 3 }),
  ),
})).schema

test('whatever it is given, it gives a strict form or none', () => {
  const root = (json: JsonObject): JsonObject => ({ ...json, type: 'object' })
  return fc.assert(
    fc.property(fc.oneof(nonsense, nonsense.map(root), jsonObject), (json) => {
      const made = toStrictSchema(json)
      if (made !== null) expect(strictViolations(made)).toEqual([])
    }),
    { numRuns: 3_000 },
  )
})
