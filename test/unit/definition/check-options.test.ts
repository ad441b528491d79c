import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { anyFunction, anySchema, checkOptions } from '../../../src/definition/check-options.js'
import { DefinitionError } from '../../../src/definition/definition-error.js'

const shape = z.strictObject({ a: z.number(), b: z.object({ list: z.array(z.string()) }) })

describe('options', () => {
  test('that fit pass', () => {
    expect(() => checkOptions(shape, { a: 1, b: { list: ['x'] } }, 'it')).not.toThrow()
  })

  test('that do not fit are named one by one, with their path', () => {
    const check = () => checkOptions(shape, { a: '1', b: { list: ['x', 2] } }, 'it')
    expect(check).toThrow(DefinitionError)
    expect(check).toThrow(/^it: a: .*; b\.list\.1: /)
  })

  test('that are no object at all are named without a path', () => {
    expect(() => checkOptions(shape, 7, 'it')).toThrow(/^it: Invalid input/)
  })
})

test('any function is a function, whatever its kind', () => {
  for (const value of [() => 1, async () => 1, class {}]) {
    expect(anyFunction.safeParse(value).success).toBe(true)
  }
  expect(anyFunction.safeParse({}).error?.issues[0]?.message).toBe('must be a function')
})

test('any zod schema is a schema; a JSON schema is not', () => {
  expect(anySchema.safeParse(z.string().optional()).success).toBe(true)
  expect(anySchema.safeParse({ type: 'string' }).error?.issues[0]?.message).toBe(
    'must be a zod schema (zod 4)',
  )
})
