import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../../src/definition/define-tool.js'
import { DefinitionError } from '../../../src/definition/definition-error.js'

const good = {
  name: 'lookup_order',
  description: 'Use to find an order by its number.',
  input: z.object({ id: z.string() }),
  execute: () => 'found',
}
const readOnly = { annotations: { readOnlyHint: true } }

/** Defines a tool from options that TypeScript would not let through. */
function define(changes: object) {
  return defineTool({ ...good, ...changes } as typeof good).manifest
}

describe('a tool', () => {
  test('saves nothing by default', () => {
    const manifest = define(readOnly)
    for (const option of ['cache', 'invalidates', 'maxCalls', 'local']) {
      expect(manifest).not.toHaveProperty(option)
    }
    expect(define({ local: false })).not.toHaveProperty('local')
  })

  test.each([
    ['turn', 'turn'],
    ['run', 'run'],
    ['10 minutes', 600_000],
    [1_500, 1_500],
  ])('may cache for %j', (cache, kept) => {
    expect(define({ ...readOnly, cache }).cache).toBe(kept)
  })

  test('may be local, limited, and clear what others have cached', () => {
    expect(define({ ...readOnly, local: true, maxCalls: 2 })).toMatchObject({
      local: true,
      maxCalls: 2,
    })
    expect(define({ invalidates: ['lookup_order'] }).invalidates).toEqual(['lookup_order'])
  })

  test.each([
    ['cache', { cache: 'turn' }],
    ['local', { local: true }],
    ['cache', { cache: '5s', annotations: { idempotentHint: true } }],
    ['local', { local: true, annotations: { readOnlyHint: false } }],
  ])('must be read-only for %s: %j', (option, changes) => {
    expect(() => define(changes)).toThrow(DefinitionError)
    expect(() => define(changes)).toThrow(
      `tool "lookup_order": ${option}: only for tools with the annotation readOnlyHint`,
    )
  })

  test.each<[string, object]>([
    ['cache', { cache: '' }],
    ['cache', { cache: 'for ever' }],
    ['cache', { cache: 0 }],
    ['cache', { cache: -5 }],
    ['cache', { cache: true }],
    ['invalidates', { invalidates: 'lookup_order' }],
    ['invalidates.0', { invalidates: [''] }],
    ['maxCalls', { maxCalls: 0 }],
    ['maxCalls', { maxCalls: 1.5 }],
    ['local', { local: 'yes' }],
  ])('is told that %s in %j is wrong', (path, changes) => {
    expect(() => define({ ...readOnly, ...changes })).toThrow(DefinitionError)
    expect(() => define({ ...readOnly, ...changes })).toThrow(`tool "lookup_order": ${path}: `)
  })

  test('has a manifest that survives JSON with all of it', () => {
    const manifest = define({
      ...readOnly,
      cache: '1h',
      local: true,
      maxCalls: 1,
      invalidates: ['a'],
    })
    expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest)
  })
})
