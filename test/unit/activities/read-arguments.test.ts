import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readArguments } from '../../../src/activities/read-arguments.js'

const one = z.object({ n: z.number() })
const anything = z.looseObject({})

function fits(args: unknown) {
  return { ok: true, args }
}

function fails(message: string) {
  return { ok: false, message: expect.stringContaining(message) }
}

describe('arguments that are no JSON object', () => {
  it.each(['{"city" "Oslo"}', '{"city":"Os', '[{"n":1}]', '7', 'true', 'call me maybe'])(
    '%s is told back in a bounded snippet, and nothing of it is kept',
    async (raw) => {
      const read = await readArguments(raw, anything)
      expect(read).toEqual({
        ok: false,
        args: {},
        message: `The arguments are not a JSON object: ${raw}`,
      })
    },
  )

  it('are cut to 200 characters in the explanation', async () => {
    const read = await readArguments(`{"text": "${'x'.repeat(5_000)}`, anything)
    expect(read.ok ? '' : read.message).toHaveLength(200)
  })

  it.each([[[1, 2]], [5], [false]])('%j, already parsed, is one as well', async (raw) => {
    expect(await readArguments(raw, anything)).toMatchObject(fails(JSON.stringify(raw)))
  })

  it('are explained in well-formed text when they hold half a surrogate pair', async () => {
    const read = await readArguments('{"a": \ud83d', anything)
    expect(read.ok ? 'ok' : read.message.isWellFormed()).toBe(true)
  })
})

describe('no arguments at all', () => {
  it.each(['', '  ', '\n\t', null, undefined, '{}', ' {} '])('%j is {}', async (raw) => {
    expect(await readArguments(raw, z.object({}))).toEqual(fits({}))
  })

  it.each(['', '  ', null, undefined])('%j lacks a required field', async (raw) => {
    expect(await readArguments(raw, one)).toMatchObject(fails('n: '))
  })
})

describe('double encoding', () => {
  it('of the whole is undone', async () => {
    expect(await readArguments('"{\\"n\\":2}"', one)).toEqual(fits({ n: 2 }))
  })

  it('of a field is undone where the schema wants an array', async () => {
    const schema = z.object({ todos: z.array(z.string()) })
    expect(await readArguments('{"todos":"[\\"milk\\"]"}', schema)).toEqual(
      fits({ todos: ['milk'] }),
    )
  })

  it.each([
    ['object', z.object({ k: z.number() })],
    ['record', z.record(z.string(), z.number())],
    ['nullable object', z.object({ k: z.number() }).nullable()],
    ['optional object', z.object({ k: z.number() }).optional()],
  ])('of a field is undone where the schema wants an %s', async (_name, field) => {
    const raw = JSON.stringify({ f: '{"k":1}' })
    expect(await readArguments(raw, z.object({ f: field }))).toEqual(fits({ f: { k: 1 } }))
  })

  it('of several fields is undone, deep inside of objects and arrays too', async () => {
    const schema = z.object({ list: z.array(z.object({ a: z.array(z.number()) })) })
    const raw = JSON.stringify({ list: [{ a: '[1]' }, { a: [2] }, { a: '[3]' }] })
    expect(await readArguments(raw, schema)).toEqual(
      fits({ list: [{ a: [1] }, { a: [2] }, { a: [3] }] }),
    )
  })

  it('is not undone in a field that wants a text, byte for byte', async () => {
    const schema = z.object({ body: z.string(), list: z.array(z.number()) })
    const raw = JSON.stringify({ body: ' {"k":1} ', list: '[1]' })
    expect(await readArguments(raw, schema)).toEqual(fits({ body: ' {"k":1} ', list: [1] }))
  })

  it('is not undone when what comes out does not fit', async () => {
    const schema = z.object({ list: z.array(z.number()) })
    const raw = '{"list":"[\\"x\\"]"}'
    expect(await readArguments(raw, schema)).toEqual({
      ok: false,
      args: { list: '["x"]' },
      message: expect.stringContaining('list: '),
    })
  })

  it('does not turn a quoted number into a number', async () => {
    expect(await readArguments('{"n":"2"}', one)).toMatchObject(fails('n: '))
  })

  it('is undone where the schema wants a tuple', async () => {
    const schema = z.object({ point: z.tuple([z.number(), z.number()]) })
    expect(await readArguments('{"point":"[1,2]"}', schema)).toEqual(fits({ point: [1, 2] }))
  })

  it('is undone together with a null inside of what was encoded', async () => {
    const schema = z.object({ todo: z.object({ what: z.string(), tag: z.string().optional() }) })
    const raw = JSON.stringify({ todo: '{"what":"milk","tag":null}' })
    expect(await readArguments(raw, schema)).toEqual(fits({ todo: { what: 'milk' } }))
  })
})

describe('null', () => {
  const search = z.object({
    query: z.string(),
    limit: z.number().default(10),
    tag: z.string().optional(),
  })

  it('for optional and defaulted fields becomes absent', async () => {
    const raw = '{"query":"cats","limit":null,"tag":null}'
    expect(await readArguments(raw, search)).toEqual(fits({ query: 'cats' }))
  })

  it('for a required field is an error', async () => {
    expect(await readArguments('{"query":null}', search)).toMatchObject(fails('query: '))
  })

  it('for a nullable field stays, though another one had to go', async () => {
    const schema = z.object({ a: z.string().nullable(), b: z.string().optional() })
    expect(await readArguments('{"a":null,"b":null}', schema)).toEqual(fits({ a: null }))
  })

  it('stays where optional and nullable both hold', async () => {
    const schema = z.object({ a: z.string().nullish() })
    expect(await readArguments('{"a":null}', schema)).toEqual(fits({ a: null }))
  })

  it('is taken away inside of nested objects, arrays and discriminated unions', async () => {
    const item = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), tag: z.enum(['x']).optional() }),
      z.object({ kind: z.literal('b') }),
    ])
    const raw = JSON.stringify({ items: [{ kind: 'b' }, { kind: 'a', tag: null }] })
    expect(await readArguments(raw, z.object({ items: z.array(item) }))).toEqual(
      fits({ items: [{ kind: 'b' }, { kind: 'a' }] }),
    )
  })

  it('as an item of an array is an error, not a shorter array', async () => {
    const schema = z.object({ list: z.array(z.number()) })
    expect(await readArguments('{"list":[1,null]}', schema)).toMatchObject(fails('list.1: '))
  })
})

describe('odd keys', () => {
  it('__proto__ and constructor are plain keys', async () => {
    const raw = '{"__proto__":{"x":1},"constructor":{"y":2}}'
    const read = await readArguments(raw, anything)
    expect(read.ok).toBe(true)
    expect(JSON.stringify(read.args)).toBe(raw)
    expect(Object.getPrototypeOf(read.args)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it('__proto__ survives the repair of a field beside it', async () => {
    const schema = z.looseObject({ tag: z.string().optional() })
    const read = await readArguments('{"__proto__":null,"tag":null}', schema)
    expect(read.ok).toBe(true)
    expect(JSON.stringify(read.args)).toBe('{"__proto__":null}')
  })

  it('a required field named like a method of every object is still required', async () => {
    const schema = z.object({ toString: z.string() })
    expect(await readArguments('{}', schema)).toMatchObject({ ok: false })
  })

  it('half surrogate pairs are replaced in values and keys', async () => {
    const read = await readArguments('{"\\ud83dk":["\\udc00"],"emoji":"😀"}', anything)
    expect(read).toEqual(fits({ '\ufffdk': ['\ufffd'], emoji: '😀' }))
  })
})

describe('schemas of all kinds', () => {
  it('give their input back, before transforms and defaults', async () => {
    const schema = z.object({
      day: z.string().transform((text) => new Date(text)),
      limit: z.number().default(10),
    })
    expect(await readArguments('{"day":"2020-01-01"}', schema)).toEqual(fits({ day: '2020-01-01' }))
  })

  it('may check asynchronously', async () => {
    const schema = z.object({ n: z.number().refine(async (n) => n > 0, 'too small') })
    expect(await readArguments('{"n":1}', schema)).toEqual(fits({ n: 1 }))
    expect(await readArguments('{"n":0}', schema)).toMatchObject(fails('n: too small'))
  })

  it('have every problem named, in 200 characters at most', async () => {
    const fields = Array.from({ length: 40 }, (_, i) => [`field${i}`, z.string()] as const)
    const read = await readArguments('{}', z.object(Object.fromEntries(fields)))
    const message = read.ok ? '' : read.message
    expect(message).toMatch(/^The arguments do not fit: field0: .+; field1: /)
    expect(message).toHaveLength(200)
  })
})
