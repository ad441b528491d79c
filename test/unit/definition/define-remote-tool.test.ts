import { describe, expect, it } from 'vitest'
import { readArguments } from '../../../src/activities/read-arguments.js'
import { defineAgent } from '../../../src/definition/define-agent.js'
import { defineRemoteTool } from '../../../src/definition/define-remote-tool.js'
import type { ToolContext } from '../../../src/definition/define-tool.js'
import { DefinitionError } from '../../../src/definition/definition-error.js'

const good = {
  name: 'check_stock',
  description: 'Use to see how many pieces are left.',
  inputSchema: {
    type: 'object',
    properties: { sku: { type: 'string' }, limit: { type: 'integer', default: 5 } },
    required: ['sku'],
  },
  taskQueue: 'warehouse',
}

/** Defines a tool from options that TypeScript would not let through. */
function define(changes: object) {
  return defineRemoteTool({ ...good, ...changes } as typeof good)
}

describe('a remote tool', () => {
  it('has careful defaults', () => {
    expect(defineRemoteTool(good).manifest).toEqual({
      name: 'check_stock',
      description: 'Use to see how many pieces are left.',
      parameters: {
        type: 'object',
        properties: {
          sku: { type: 'string' },
          limit: { type: ['integer', 'null'], description: 'Default: 5.' },
        },
        required: ['sku', 'limit'],
        additionalProperties: false,
      },
      strict: true,
      activityType: 'check_stock',
      annotations: {},
      timeoutMs: 30_000,
      maximumAttempts: 3,
      parallel: true,
      polling: false,
      volatileFields: [],
      sensitive: [],
      remote: { taskQueue: 'warehouse', scheduleToStartMs: 60_000 },
    })
  })

  it('keeps what its options say', () => {
    const options = {
      annotations: { readOnlyHint: true },
      parallel: false,
      polling: true,
      volatileFields: ['at'],
      sensitive: ['card'],
      activityType: 'CheckStock',
    }
    const more = { scheduleToStartTimeout: '5m', heartbeatTimeout: '10s', timeout: '2m' }
    expect(define({ ...options, ...more }).manifest).toMatchObject({
      ...options,
      timeoutMs: 120_000,
      remote: { taskQueue: 'warehouse', scheduleToStartMs: 300_000, heartbeatTimeoutMs: 10_000 },
    })
  })

  it('describes its arguments as they were given with strict: false', () => {
    const inputSchema = { $schema: 'http://json-schema.org/draft-07/schema#', ...good.inputSchema }
    const { manifest } = define({ inputSchema, strict: false })
    expect(manifest).toMatchObject({ strict: false, parameters: good.inputSchema })
    expect(manifest.parameters).not.toHaveProperty('$schema')
  })

  it('is a tool for defineAgent, and runs nowhere else', () => {
    const tool = defineRemoteTool(good)
    const agent = defineAgent({ name: 'a', instructions: 'b', model: 'c', tools: [tool] })
    expect(JSON.parse(JSON.stringify(agent.manifest.tools))).toEqual([tool.manifest])
    expect(() => tool.execute({}, {} as ToolContext<unknown>)).toThrow('task queue "warehouse"')
  })
})

describe('the arguments of a remote tool', () => {
  it.each<[unknown, object | null]>([
    ['{"sku":"A-100"}', { sku: 'A-100' }],
    // Defaults are for the tool to fill in: what is sent is what the model said.
    ['{"sku":"A-100","limit":null}', { sku: 'A-100' }],
    ['{"sku":"A-100","more":1}', { sku: 'A-100', more: 1 }],
    ['{"sku":"A-100","limit":1.5}', null],
    ['{"sku":7}', null],
    ['{}', null],
  ])('%j are read as those of any other', async (raw, args) => {
    const read = await readArguments(raw, defineRemoteTool(good).input)
    expect(read.ok ? read.args : null).toEqual(args)
  })

  it.each([
    ['$defs', '#/$defs/Item'],
    ['definitions', '#/definitions/Item'],
  ])('may be described with references to %s, recursive ones too', async (keyword, ref) => {
    const item = {
      type: 'object',
      properties: { sku: { type: 'string' }, parts: { type: 'array', items: { $ref: ref } } },
      required: ['sku'],
    }
    const inputSchema = {
      type: 'object',
      properties: { item: { $ref: ref } },
      required: ['item'],
      [keyword]: { Item: item },
    }
    const { input, manifest } = define({ inputSchema })
    expect(manifest.strict).toBe(true)
    const good = { item: { sku: 'a', parts: [{ sku: 'b' }] } }
    expect(await readArguments(good, input)).toEqual({ ok: true, args: good })
    const bad = { item: { sku: 'a', parts: [{ sku: 7 }] } }
    expect(await readArguments(bad, input)).toMatchObject({ ok: false })
  })

  it('may be described twice with one id', () => {
    const inputSchema = { ...good.inputSchema, $id: 'stock', id: 'stock' }
    expect(() => [define({ inputSchema }), define({ inputSchema })]).not.toThrow()
  })
})

describe('an option that is wrong is named', () => {
  const loop: Record<string, unknown> = { type: 'object' }
  loop['properties'] = loop

  it.each<[string, object]>([
    ['name', { name: 'callModel' }],
    ['description', { description: ' ' }],
    ['taskQueue', { taskQueue: '' }],
    ['taskQueue', { taskQueue: undefined }],
    ['scheduleToStartTimeout', { scheduleToStartTimeout: 'soon' }],
    ['heartbeatTimeout', { heartbeatTimeout: 0 }],
    ['annotations', { annotations: { readOnlyHint: true, destructiveHint: true } }],
    ['inputSchema', { inputSchema: undefined }],
    ['inputSchema', { inputSchema: [] }],
    ['inputSchema', { inputSchema: {} }],
    ['inputSchema', { inputSchema: { type: 'array' } }],
    ['inputSchema', { inputSchema: loop }],
    ['inputSchema', { inputSchema: { type: 'object', not: { required: ['a'] } } }],
    ['inputSchema', { inputSchema: { type: 'object', if: {}, else: false } }],
    ['inputSchema', { inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/A' } } } }],
    ['inputSchema', { inputSchema: { type: 'object', properties: { a: { type: 'date' } } } }],
    ['execute', { execute: () => 1 }],
  ])('%s (row %#)', (field, changes) => {
    expect(() => define(changes)).toThrow(DefinitionError)
    expect(() => define(changes)).toThrow(new RegExp(`^tool ".*": .*${field}`))
  })
})
