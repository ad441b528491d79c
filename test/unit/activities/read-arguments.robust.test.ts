import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { type ReadArguments, readArguments } from '../../../src/activities/read-arguments.js'

const schemas = [
  z.looseObject({}),
  z.object({ n: z.number() }),
  z.object({
    a: z.string().optional(),
    b: z.array(z.object({ c: z.string().nullable(), d: z.number().default(1) })).optional(),
    e: z.record(z.string(), z.number()).optional(),
  }),
  z.strictObject({ kind: z.enum(['x', 'y']) }),
]

const bit = fc.constantFrom(
  ...['{', '}', '[', ']', '"', ':', ',', '\\', '\\u', 'd83d', '1e999', 'null', '-', ' ', '\u0000'],
  ...['"a"', '"b"', '"e"', '"__proto__"', '"constructor"', '\ud83d', '😀', '<tool_call>'],
)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: bit }),
  fc.json(),
  fc.json().map((json) => JSON.stringify(json)),
  fc.record({ a: fc.json(), b: fc.json(), e: fc.json() }, { requiredKeys: [] }).map((object) => {
    return JSON.stringify(object)
  }),
  fc.jsonValue().map((value) => JSON.stringify({ a: value, b: [value], e: { k: value } })),
)

function sound(read: ReadArguments): boolean {
  const isPlain =
    JSON.stringify(JSON.parse(JSON.stringify(read.args))) === JSON.stringify(read.args)
  return isPlain && (read.ok || (read.message.length > 0 && read.message.length <= 200))
}

test('whatever text comes, it is read or explained in 200 characters', () => {
  return fc.assert(
    fc.asyncProperty(text, fc.constantFrom(...schemas), async (raw, schema) => {
      expect(sound(await readArguments(raw, schema))).toBe(true)
    }),
    { numRuns: 400 },
  )
})

test('whatever value comes in the place of a text, it is read or explained', () => {
  return fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.constantFrom(...schemas), async (raw, schema) => {
      expect(sound(await readArguments(raw, schema))).toBe(true)
    }),
  )
})

test('arguments that are read fit their schema', () => {
  return fc.assert(
    fc.asyncProperty(text, fc.constantFrom(...schemas), async (raw, schema) => {
      const read = await readArguments(raw, schema)
      expect(schema.safeParse(read.args).success || !read.ok).toBe(true)
    }),
  )
})

test('what fits as it is comes back unchanged', () => {
  const value = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue())
  return fc.assert(
    fc.asyncProperty(value, async (args) => {
      const json = JSON.stringify(args)
      const read = await readArguments(json, z.looseObject({}))
      expect(JSON.stringify(read.args)).toBe(JSON.stringify(JSON.parse(json)))
    }),
  )
})

describe('what no model should send', () => {
  it('10,000 keys are read', async () => {
    const object = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i]))
    expect((await readArguments(JSON.stringify(object), z.looseObject({}))).ok).toBe(true)
  })

  it('100 levels are read', async () => {
    const raw = '{"a":'.repeat(100) + 1 + '}'.repeat(100)
    expect((await readArguments(raw, z.looseObject({}))).ok).toBe(true)
  })

  it('20,000 levels are explained, not thrown', async () => {
    const raw = '{"a":'.repeat(20_000) + 1 + '}'.repeat(20_000)
    expect(await readArguments(raw, z.looseObject({}))).toMatchObject({ ok: false })
  })

  it('a schema that throws is explained, not thrown', async () => {
    const schema = z.object({ json: z.string().transform((inner) => JSON.parse(inner)) })
    expect(await readArguments('{"json":"x"}', schema)).toMatchObject({ ok: false })
  })
})
