import { expect, test } from 'vitest'
import { z } from 'zod'
import { DefinitionError, defineTool, type JsonObject, type JsonValue } from '../../src/index.js'
import { callTools, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { openStage } from './kit.js'

interface Node {
  value: string
  next?: Node | undefined
}
const node: z.ZodType<Node> = z.lazy(() => z.object({ value: z.string(), next: node.optional() }))

/** Schemas with arguments that fit them; those of `LOOSE` have no strict form. */
const STRICT: Record<string, readonly [schema: z.ZodType, args: JsonObject]> = {
  nothing: [z.object({}), {}],
  optional: [z.object({ a: z.string(), b: z.number().optional() }), { a: 'x', b: null }],
  defaults: [
    z.object({ c: z.number().default(5), d: z.string().prefault('x') }),
    { c: null, d: null },
  ],
  formats: [
    z.object({ u: z.url(), e: z.email(), t: z.iso.datetime(), i: z.uuid(), b: z.base64() }),
    {
      u: 'https://a.example',
      e: 'a@b.example',
      t: '2026-01-01T00:00:00Z',
      i: '123e4567-e89b-42d3-a456-426614174000',
      b: 'aGk=',
    },
  ],
  bounds: [
    z.object({ n: z.int().min(1).max(9).multipleOf(3), s: z.string().min(1).max(5).regex(/^a/) }),
    { n: 3, s: 'ab' },
  ],
  lists: [z.object({ l: z.array(z.string().min(1)).min(1).max(3) }), { l: ['x'] }],
  choices: [
    z.object({ k: z.enum(['a', 'b']), l: z.literal('x'), m: z.literal([1, 2]) }),
    { k: 'a', l: 'x', m: 2 },
  ],
  nullable: [z.object({ a: z.string().nullable(), b: z.int().nullish() }), { a: null, b: null }],
  nested: [
    z.object({ o: z.object({ p: z.object({ q: z.boolean().optional() }) }).optional() }),
    { o: { p: { q: null } } },
  ],
  union: [
    z.object({ v: z.union([z.string(), z.number(), z.object({ x: z.int() })]) }),
    { v: { x: 1 } },
  ],
  discriminated: [
    z.object({
      v: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('a'), x: z.int().optional() }),
        z.object({ kind: z.literal('b') }),
      ]),
    }),
    { v: { kind: 'a', x: null } },
  ],
  recursive: [z.object({ list: node }), { list: { value: 'a', next: { value: 'b', next: null } } }],
  transformed: [
    z.object({
      day: z.iso.date().transform((text) => new Date(text)),
      n: z.string().pipe(z.coerce.number()),
    }),
    { day: '2026-01-01', n: '3' },
  ],
  refined: [z.object({ a: z.int(), b: z.int() }).refine(({ a, b }) => a < b), { a: 1, b: 2 }],
  described: [z.object({ a: z.string().describe('The "a".').optional() }).strict(), { a: 'x' }],
  odd: [
    z.object({ 'a b': z.string(), $ref: z.string(), constructor: z.int() }),
    { 'a b': '', $ref: '', constructor: 1 },
  ],
}
const LOOSE: typeof STRICT = {
  row: [
    z.object({
      a: z.string(),
      b: z.number().optional(),
      c: z.number().default(5),
      u: z.url(),
      h: z.record(z.string(), z.string()),
    }),
    { a: 'x', u: 'https://a.example', h: { k: 'v' } },
  ],
  record: [z.object({ h: z.record(z.string(), z.int()) }), { h: { a: 1 } }],
  tuple: [z.object({ p: z.tuple([z.int(), z.string()]) }), { p: [1, 'x'] }],
  anything: [
    z.object({ a: z.any(), u: z.unknown(), j: z.json() }),
    { a: 1, u: [2], j: { k: null } },
  ],
  open: [z.looseObject({ a: z.string() }), { a: 'x', more: 1 }],
  rest: [z.object({ a: z.string() }).catchall(z.int()), { a: 'x', n: 1 }],
  'a union at the root': [
    z.union([z.object({ a: z.string() }), z.object({ b: z.int() })]),
    { b: 1 },
  ],
  'choices at the root': [
    z.discriminatedUnion('k', [
      z.object({ k: z.literal('a') }),
      z.object({ k: z.literal('b'), n: z.int() }),
    ]),
    { k: 'b', n: 1 },
  ],
}
const KEYWORDS = new Set(
  `type properties required additionalProperties items enum const anyOf description $ref $defs pattern format
   minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems`.split(/\s+/),
)
const FORMATS = 'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' ')

/** What OpenAI's strict mode refuses in a schema, as its documentation tells. */
function complaints(json: JsonValue | undefined, path: string): string[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return [`${path}: no schema`]
  const schema = json as JsonObject
  const odd = Object.keys(schema).filter((keyword) => !KEYWORDS.has(keyword))
  const found = odd.map((keyword) => `${path}: ${keyword}`)
  const format = schema['format']
  if (format !== undefined && !FORMATS.includes(String(format)))
    found.push(`${path}: format ${format}`)
  const properties = (schema['properties'] ?? {}) as JsonObject
  if (schema['type'] === 'object' || [schema['type']].flat().includes('object')) {
    if (schema['additionalProperties'] !== false) found.push(`${path}: open`)
    const required = schema['required'] as readonly string[]
    if (required.toSorted().join() !== Object.keys(properties).toSorted().join())
      found.push(`${path}: not all required`)
  }
  const inner: [string, JsonValue | undefined][] = [
    ...Object.entries(properties),
    ...Object.entries((schema['$defs'] ?? {}) as JsonObject),
    ...(schema['items'] === undefined ? [] : [['items', schema['items']] as [string, JsonValue]]),
    ...((schema['anyOf'] ?? []) as JsonValue[]).map((one, i): [string, JsonValue] => [`${i}`, one]),
  ]
  return [...found, ...inner.flatMap(([key, value]) => complaints(value, `${path}.${key}`))]
}

test('B18 · schemas are strict where they can be, and say so', async () => {
  const all = { ...STRICT, ...LOOSE }
  const tools = Object.entries(all).map(([, [input]], i) =>
    defineTool({
      name: `tool_${i}`,
      description: 'Use when the test says so.',
      input,
      execute: () => 'ran',
    }),
  )
  const stage = await openStage({ agents: [testAgent({ tools })] })
  const calls = Object.values(all).map(([, args], i) => ({ name: `tool_${i}`, args }))
  const { result, requests, steps } = await stage.play({ script: [callTools(calls), say('done')] })
  expect(result?.answer).toBe('done')
  for (const [i, name] of Object.keys(all).entries()) {
    const sent = requests[0]?.body.tools?.[i]?.function
    expect(sent?.parameters['type'], name).toBe('object')
    expect(sent?.strict, name).toBe(name in STRICT ? true : undefined)
    if (sent?.strict) expect(complaints(sent.parameters, name)).toEqual([])
    expect(steps[0]?.calls[i], name).toMatchObject({ status: 'ok', observation: 'ran' })
  }
})

const IMPOSSIBLE: Record<string, readonly [schema: z.ZodType, field: string]> = {
  date: [z.object({ d: z.date() }), 'input.d'],
  bigint: [z.object({ n: z.bigint() }), 'input.n'],
  'a date in a list': [z.object({ days: z.array(z.date()) }), 'input.days'],
  'an optional date': [z.object({ o: z.object({ d: z.date().optional() }) }), 'input.o.d'],
  'a date in a union': [z.object({ v: z.union([z.string(), z.date()]) }), 'input.v'],
  map: [z.object({ m: z.map(z.string(), z.int()) }), 'input.m'],
  set: [z.object({ s: z.set(z.string()) }), 'input.s'],
  symbol: [z.object({ s: z.symbol() }), 'input.s'],
  undefined: [z.object({ u: z.undefined() }), 'input.u'],
  'not a number': [z.object({ n: z.nan() }), 'input.n'],
  file: [z.object({ f: z.file() }), 'input.f'],
  'a class': [z.object({ c: z.instanceof(URL) }), 'input.c'],
  'a bigint literal': [z.object({ l: z.literal(1n) }), 'input.l'],
  text: [z.string(), 'object'],
  list: [z.array(z.string()), 'object'],
  'a union of texts': [z.union([z.object({}), z.string()]), 'object'],
}

test.each(Object.keys(IMPOSSIBLE))(
  'B18 · %s: an error that names tool and field, at once',
  (name) => {
    const [input = z.any(), field = ''] = IMPOSSIBLE[name] ?? []
    const define = () => defineTool({ name: 'bad_one', description: 'd', input, execute: () => 1 })
    expect(define).toThrow(DefinitionError)
    expect(define).toThrow('bad_one')
    expect(define).toThrow(field)
  },
)
