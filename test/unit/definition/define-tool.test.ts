import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { RESERVED_ACTIVITY_TYPES } from '../../../src/contract/names.js'
import { defineTool, type ToolContext } from '../../../src/definition/define-tool.js'
import { DefinitionError } from '../../../src/definition/definition-error.js'

const good = {
  name: 'lookup_order',
  description: 'Use to find an order by its number.',
  input: z.object({ id: z.string() }),
  execute: () => 'found',
}

/** Defines a tool from options that TypeScript would not let through. */
function define(changes: object) {
  return defineTool({ ...good, ...changes } as typeof good)
}

describe('a tool', () => {
  test('has careful defaults', () => {
    expect(defineTool(good).manifest).toEqual({
      name: 'lookup_order',
      description: 'Use to find an order by its number.',
      parameters: {
        type: 'object',
        properties: { id: { type: 'string' } },
        required: ['id'],
        additionalProperties: false,
      },
      strict: true,
      activityType: 'lookup_order',
      annotations: {},
      timeoutMs: 30_000,
      maximumAttempts: 3,
      parallel: true,
      polling: false,
      volatileFields: [],
      sensitive: [],
    })
  })

  test('keeps what its options say', () => {
    const options = {
      annotations: { readOnlyHint: true, openWorldHint: false },
      parallel: false,
      polling: true,
      volatileFields: ['at'],
      sensitive: ['card'],
      activityType: 'shop.lookup',
    }
    const { manifest } = define({ ...options, timeout: '2m', retry: { maximumAttempts: 7 } })
    expect(manifest).toMatchObject({ ...options, timeoutMs: 120_000, maximumAttempts: 7 })
  })

  test('keeps its schemas for the worker', () => {
    const context = z.object({ customerId: z.string() })
    const tool = define({ context })
    expect([tool.name, tool.input, tool.context]).toEqual(['lookup_order', good.input, context])
  })

  test('has a manifest that survives JSON', () => {
    const { manifest } = defineTool(good)
    expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest)
  })

  test('has no half surrogate pair in its description', () => {
    expect(define({ description: 'Use it \ud83d' }).manifest.description).toBe('Use it \ufffd')
  })

  test('hands input and context on to execute, and its result back', () => {
    const seen: unknown[] = []
    const tool = define({
      execute: (...args: unknown[]) => {
        seen.push(...args)
        return 42
      },
    })
    const context = { context: { customerId: 'C1' }, attempt: 1 } as ToolContext<unknown>
    expect(tool.execute({ id: 'A1' }, context)).toBe(42)
    expect(seen).toEqual([{ id: 'A1' }, context])
  })
})

describe('an option that is wrong is named', () => {
  test.each<[string, object]>([
    ['name', { name: '' }],
    ['name', { name: 'look up' }],
    ['name', { name: 'naïve' }],
    ['name', { name: 'a.b' }],
    ['name', { name: 'lookup\n' }],
    ['name', { name: 'x'.repeat(65) }],
    ['name', { name: undefined }],
    ['description', { description: '' }],
    ['description', { description: ' \n' }],
    ['description', { description: undefined }],
    ['input', { input: undefined }],
    ['input', { input: { type: 'object' } }],
    ['context', { context: { customerId: 'string' } }],
    ['annotations.readOnlyHint', { annotations: { readOnlyHint: 'yes' } }],
    ['annotations', { annotations: { readonly: true } }],
    ['timeout', { timeout: 'soon' }],
    ['timeout', { timeout: 0 }],
    ['timeout', { timeout: -1 }],
    ['timeout', { timeout: '-5s' }],
    ['timeout', { timeout: '' }],
    ['timeout', { timeout: Number.NaN }],
    ['timeout', { timeout: Number.POSITIVE_INFINITY }],
    ['timeout', { timeout: {} }],
    ['retry.maximumAttempts', { retry: { maximumAttempts: 0 } }],
    ['retry.maximumAttempts', { retry: { maximumAttempts: 1.5 } }],
    ['retry', { retry: { attempts: 3 } }],
    ['parallel', { parallel: 'no' }],
    ['polling', { polling: 1 }],
    ['strict', { strict: 'yes' }],
    ['volatileFields', { volatileFields: 'at' }],
    ['volatileFields.1', { volatileFields: ['at', ''] }],
    ['sensitive.0', { sensitive: [1] }],
    ['activityType', { activityType: '' }],
    ['activityType', { activityType: 'x'.repeat(201) }],
    ['execute', { execute: 'run' }],
    ['execute', { execute: undefined }],
  ])('%s in %j', (path, changes) => {
    const owner = `tool ${JSON.stringify('name' in changes ? changes.name : good.name)}`
    expect(() => define(changes)).toThrow(DefinitionError)
    expect(() => define(changes)).toThrow(`${owner}: ${path}: `)
  })

  test('an unknown one too', () => {
    expect(() => define({ timout: '5s' })).toThrow(/^tool "lookup_order": .*timout/)
  })

  test('all of them at once', () => {
    expect(() => define({ description: '', parallel: 'no' })).toThrow(/description: .*; parallel: /)
  })

  test.each([undefined, null, 'lookup'])('even when there are none: %j', (options) => {
    expect(() => defineTool(options as unknown as typeof good)).toThrow(DefinitionError)
  })
})

describe('the arguments of a tool', () => {
  const plain = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }

  test('are described as they are when the option says so', () => {
    expect(define({ strict: false }).manifest).toMatchObject({ parameters: plain, strict: false })
    expect(define({ strict: false }).manifest.parameters).toEqual(plain)
  })

  test('are described as they are where they have no strict form, whatever the option says', () => {
    const input = z.object({ by: z.record(z.string(), z.string()) })
    expect(define({ input, strict: true }).manifest).toMatchObject({
      parameters: { properties: { by: { additionalProperties: { type: 'string' } } } },
      strict: false,
    })
  })

  test('are not strict where a null in the place of an optional field would be read as a value', () => {
    expect(define({ input: z.object({ n: z.coerce.number() }) }).manifest.strict).toBe(true)
    expect(define({ input: z.object({ n: z.coerce.number().optional() }) }).manifest.strict).toBe(
      false,
    )
  })
})

test.each([...RESERVED_ACTIVITY_TYPES])('%s is reserved, as name and as activity type', (name) => {
  expect(() => define({ name })).toThrow(`tool "${name}": name: is a reserved name`)
  expect(() => define({ activityType: name })).toThrow(
    'tool "lookup_order": activityType: is a reserved name',
  )
})

test('the longest name that providers take is fine', () => {
  expect(define({ name: 'x'.repeat(64) }).name).toHaveLength(64)
})

test('a tool cannot be read-only and destructive', () => {
  const annotations = { readOnlyHint: true, destructiveHint: true }
  expect(() => define({ annotations })).toThrow(
    'tool "lookup_order": annotations: read-only and destructive exclude each other',
  )
  expect(() => define({ annotations: { ...annotations, readOnlyHint: false } })).not.toThrow()
})

test('an input that no model can send is named with tool and field', () => {
  expect(() => define({ input: z.object({ when: z.date() }) })).toThrow(
    'tool "lookup_order": input.when is a date',
  )
})
