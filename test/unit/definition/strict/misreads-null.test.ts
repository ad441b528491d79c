import { expect, test } from 'vitest'
import { z } from 'zod'
import { misreadsNull } from '../../../../src/definition/strict/misreads-null.js'

test.each<[string, z.ZodType]>([
  ['a coerced number', z.coerce.number()],
  ['a coerced text', z.coerce.string()],
  ['a coerced boolean, deep inside', z.coerce.boolean().readonly().pipe(z.boolean())],
  ['a branch of a union', z.union([z.boolean(), z.coerce.number()])],
  ['a part of an intersection', z.string().and(z.coerce.string())],
  ['a preprocessed value', z.preprocess(String, z.string())],
  ['a lazy one', z.lazy(() => z.coerce.number())],
])('null is misread by %s where it is optional, not where it is required', (_, type) => {
  expect(misreadsNull(z.object({ f: type.optional() }))).toBe(true)
  expect(misreadsNull(z.object({ list: z.array(z.object({ f: type.optional() })) }))).toBe(true)
  expect(misreadsNull(z.object({ f: type }))).toBe(false)
})

test.each<[string, z.ZodType]>([
  ['a text', z.string()],
  ['a nullable', z.string().nullable()],
  ['a nullable coerced number: null is what it says', z.coerce.number().nullable()],
  ['a transform', z.string().transform(Number)],
  ['a union', z.union([z.string(), z.boolean()])],
])('null is not misread by %s', (_, type) => {
  expect(misreadsNull(z.object({ f: type.optional(), g: type.default('x') }))).toBe(false)
})

test('a catch gives for null what it gives for nothing, unless nothing passes it', () => {
  expect(misreadsNull(z.object({ f: z.string().catch('x') }))).toBe(false)
  expect(misreadsNull(z.object({ f: z.string().optional().catch('x') }))).toBe(true)
})

test('recursive schemas end', () => {
  const node = z.object({
    get next() {
      return node.optional()
    },
    n: z.coerce.number().default(1),
  })
  expect(misreadsNull(node)).toBe(true)
  const lazy: z.ZodType = z.lazy(() => z.union([z.string(), lazy]))
  expect(misreadsNull(z.object({ lazy: lazy.optional() }))).toBe(false)
})
