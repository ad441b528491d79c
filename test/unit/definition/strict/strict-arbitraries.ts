import * as fc from 'fast-check'
import { z } from 'zod'

/** A zod schema with values for it. */
export interface Sample {
  readonly schema: z.ZodType
  readonly value: fc.Arbitrary<Value>
  /** True when null is a value like any other, so it cannot mean "left out". */
  readonly takesNull: boolean
  /** False: no strict form exists. */
  readonly strict: boolean
}

/** The same value twice: with fields left out, and with nulls in their place, as a strict model sends it. */
interface Value {
  readonly plain: unknown
  readonly nulled: unknown
}

/** A random object schema with a random value. */
export const objectSample: fc.Arbitrary<Sample> = fc.letrec<{ any: Sample; object: Sample }>(
  (tie) => ({
    object: fc
      .uniqueArray(fc.tuple(name(), field(tie('any'))), { selector: ([key]) => key, maxLength: 4 })
      .map(objectOf),
    any: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 8, arbitrary: scalar() },
      { weight: 1, arbitrary: loose() },
      { weight: 2, arbitrary: tie('any').map(described) },
      { weight: 2, arbitrary: tie('any').map(nullable) },
      { weight: 3, arbitrary: tie('any').map(listOf) },
      { weight: 3, arbitrary: tie('object') },
      { weight: 2, arbitrary: fc.array(tie('object'), { minLength: 1, maxLength: 3 }).map(tagged) },
      { weight: 1, arbitrary: tie('object').map(recordOf) },
    ),
  }),
).object

type Presence = 'required' | 'optional' | 'default'
interface Field {
  readonly sample: Sample
  readonly presence: Presence
  readonly fallback: unknown
}

function name() {
  // zod reads an absent field named like a method of every object as that method: left out here.
  return fc.oneof(
    fc.constantFrom('a', 'b', 'id', 'type', 'properties', 'items', 'required', '$ref', 'x y'),
    fc.string({ minLength: 1, maxLength: 4 }).filter((key) => !(key in {})),
  )
}

function field(sample: fc.Arbitrary<Sample>): fc.Arbitrary<Field> {
  const presence = fc.constantFrom<Presence>('required', 'required', 'optional', 'default')
  return fc.tuple(sample, presence).chain(([given, wanted]) =>
    given.value.map(({ plain }) => ({
      sample: given,
      // A null that is a value of its own stays one: see the tests of readArguments.
      presence: given.takesNull ? 'required' : wanted,
      fallback: plain,
    })),
  )
}

function objectOf(fields: readonly (readonly [string, Field])[]): Sample {
  const shape = fields.map(([key, { sample, presence, fallback }]) => {
    if (presence === 'optional') return [key, sample.schema.optional()] as const
    return [key, presence === 'default' ? sample.schema.default(fallback) : sample.schema] as const
  })
  const values = fields.map(([key, { sample, presence }]) =>
    fc
      .tuple(sample.value, presence === 'required' ? fc.constant(true) : fc.boolean())
      .map(([value, present]) => ({ key, value, present })),
  )
  return {
    schema: z.object(Object.fromEntries(shape)),
    value: fc.tuple(...values).map((entries) => ({
      plain: Object.fromEntries(
        entries.flatMap(({ key, value, present }) => (present ? [[key, value.plain]] : [])),
      ),
      nulled: Object.fromEntries(
        entries.map(({ key, value, present }) => [key, present ? value.nulled : null]),
      ),
    })),
    takesNull: false,
    strict: fields.every(([, { sample }]) => sample.strict),
  }
}

function of(schema: z.ZodType, value: fc.Arbitrary<unknown>, more: Partial<Sample> = {}): Sample {
  const same = value.map((plain) => ({ plain, nulled: plain }))
  return { schema, value: same, takesNull: false, strict: true, ...more }
}

function scalar(): fc.Arbitrary<Sample> {
  const text = fc.string({ minLength: 2, maxLength: 5 })
  const mails = fc.constantFrom('a@b.co', 'anna.b@example.org')
  return fc.constantFrom(
    of(z.string(), text),
    of(z.string().min(2).max(9), text),
    of(z.email(), mails),
    of(z.email().max(40).describe('Whom to write to'), mails),
    of(z.uuid(), fc.uuid({ version: 4 })),
    of(z.url(), fc.webUrl()),
    of(z.ipv4(), fc.ipV4()),
    of(z.base64(), fc.base64String()),
    of(z.emoji(), fc.constant('😀')),
    of(z.iso.date(), fc.constantFrom('2024-02-29', '1999-12-31')),
    of(z.iso.datetime(), fc.constant('2024-02-29T10:00:00Z')),
    of(z.iso.time(), fc.constant('10:00:00')),
    of(z.iso.duration(), fc.constant('P1D')),
    of(z.hostname(), fc.domain()),
    of(
      z
        .string()
        .regex(/^[a-c]+$/)
        .startsWith('a'),
      fc.constantFrom('a', 'abc'),
    ),
    of(z.string().regex(/^(?!x)\w+$/), fc.constant('ab')),
    of(
      z.string().transform((given) => given.length),
      text,
    ),
    of(z.stringbool(), fc.constantFrom('yes', 'no')),
    of(z.number(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    of(z.int().min(1).max(9), fc.integer({ min: 1, max: 9 })),
    of(z.number().multipleOf(2).gt(0), fc.constantFrom(2, 4)),
    of(z.boolean(), fc.boolean()),
    of(z.enum(['a', 'b']), fc.constantFrom('a', 'b')),
    of(z.enum({ one: 1, two: 'b' }), fc.constantFrom(1, 'b')),
    of(z.literal('x'), fc.constant('x')),
    of(z.literal([1, 'a', true]), fc.constantFrom(1, 'a', true)),
    of(z.literal([1, null]), fc.constantFrom(1, null), { takesNull: true }),
    of(z.null(), fc.constant(null), { takesNull: true }),
    of(z.union([z.string(), z.number(), z.array(z.string())]), fc.oneof(text, fc.array(text))),
    of(z.union([z.literal('a'), z.literal('b'), z.number()]), fc.constantFrom('a', 'b', 7)),
    of(z.string().and(z.enum(['a', 'b'])), fc.constantFrom('a', 'b')),
  )
}

/** Types without a strict form. */
function loose(): fc.Arbitrary<Sample> {
  const text = fc.string({ maxLength: 3 })
  return fc.constantFrom(
    of(z.record(z.string(), z.number()), fc.constant({ a: 1 }), { strict: false }),
    of(z.tuple([z.string(), z.number()]), fc.tuple(text, fc.integer()), { strict: false }),
    of(z.any(), text, { strict: false, takesNull: true }),
    of(z.looseObject({ a: z.string() }), fc.constant({ a: 'x', more: 1 }), { strict: false }),
    of(z.json(), fc.constant({ a: [null] }), { strict: false, takesNull: true }),
  )
}

function described(sample: Sample): Sample {
  return { ...sample, schema: sample.schema.describe('What it is for') }
}

function nullable({ schema, value, strict }: Sample): Sample {
  const nothing = fc.constant<Value>({ plain: null, nulled: null })
  return { schema: schema.nullable(), value: fc.oneof(value, nothing), strict, takesNull: true }
}

function listOf({ schema, value, strict }: Sample): Sample {
  const values = fc.array(value, { maxLength: 3 }).map((list) => ({
    plain: list.map(({ plain }) => plain),
    nulled: list.map(({ nulled }) => nulled),
  }))
  return { schema: z.array(schema).max(9), value: values, strict, takesNull: false }
}

function recordOf({ schema, value }: Sample): Sample {
  const values = value.map(({ plain, nulled }) => ({ plain: { k: plain }, nulled: { k: nulled } }))
  return { schema: z.record(z.string(), schema), value: values, strict: false, takesNull: false }
}

/** A union of objects that a constant tells apart. */
function tagged(objects: readonly Sample[]): Sample {
  const options = objects.map(({ schema }, i) =>
    z.object({ kind: z.literal(`k${i}`), inner: schema }),
  )
  const values = objects.map(({ value }, i) =>
    value.map(({ plain, nulled }) => ({
      plain: { kind: `k${i}`, inner: plain },
      nulled: { kind: `k${i}`, inner: nulled },
    })),
  )
  const [first, ...rest] = options as [(typeof options)[0], ...typeof options]
  return {
    schema: z.discriminatedUnion('kind', [first, ...rest]),
    value: fc.oneof(...values),
    takesNull: false,
    strict: objects.every(({ strict }) => strict),
  }
}
