import { describe, expect, it } from 'vitest'
import { callHash } from '../../../src/activities/idempotency-key.js'
import { readReply } from '../../../src/activities/read-reply.js'
import { isObject } from '../../../src/contract/json.js'
import { defineRemoteTool } from '../../../src/definition/define-remote-tool.js'
import type { RawCall, RawReply } from '../../../src/models/model.js'
import { agentWith, lookup, manifestOf, toolNamed } from './sample.js'

function reply(fields: Partial<RawReply>): RawReply {
  return { text: '', calls: [], finish: 'stop', tokens: null, ...fields }
}

async function readOne(call: RawCall, tools = [lookup]) {
  const agent = agentWith({ tools })
  const { calls } = await readReply(reply({ calls: [call] }), manifestOf(agent), {
    tools: agent.tools,
    context: null,
  })
  return calls[0]
}

function problemOf(call: { readonly problem?: string } | undefined): unknown {
  const problem: unknown = JSON.parse(call?.problem ?? 'null')
  return isObject(problem) ? problem : null
}

describe('a call', () => {
  it('to a known tool with fitting arguments may run', async () => {
    const call = await readOne({ name: 'lookup', arguments: '{"id":"A1","limit":null}' })
    expect(call).toEqual({ name: 'lookup', args: { id: 'A1' } })
  })

  it('to a remote tool carries what the workflow cannot make of its idempotency key', async () => {
    const stock = defineRemoteTool({
      name: 'stock',
      description: 'Use when the test says so.',
      inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
      taskQueue: 'warehouse',
    })
    const call = await readOne({ name: 'stock', arguments: '{"id":"A1"}' }, [stock])
    expect(call).toEqual({
      name: 'stock',
      args: { id: 'A1' },
      hash: callHash('stock', { id: 'A1' }),
    })
    // A call that does not run needs none.
    expect(await readOne({ name: 'stock', arguments: '{"id":7}' }, [stock])).not.toHaveProperty(
      'hash',
    )
  })

  it('with arguments that do not fit carries the reason, and what was asked', async () => {
    const call = await readOne({ name: 'lookup', arguments: '{"id":7}' })
    expect(call).toMatchObject({ name: 'lookup', args: { id: 7 } })
    expect(problemOf(call)).toEqual({
      status: 'error',
      error_type: 'invalid_arguments',
      message: expect.stringContaining('id: '),
      retryable: false,
    })
  })

  it('with arguments that are no JSON is kept with none', async () => {
    const call = await readOne({ name: 'lookup', arguments: '{"id" "A1"}' })
    expect(call?.args).toEqual({})
    expect(problemOf(call)).toMatchObject({
      error_type: 'invalid_arguments',
      message: expect.stringContaining('{"id" "A1"}'),
    })
  })
})

describe('an unknown tool', () => {
  it.each([
    ['get_wether', 'get_wether'],
    ['lookup" />', 'lookup____'],
    ['functions.lookup', 'functions_lookup'],
    ['', 'unnamed'],
    ['天気', '__'],
    ['😀', '__'],
    ['LOOKUP', 'LOOKUP'],
    [' lookup', '_lookup'],
    ['constructor', 'constructor'],
    ['__proto__', '__proto__'],
    ['toString', 'toString'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('named %j is sent back as %j, with the real tools', async (name, legal) => {
    const call = await readOne({ name, arguments: '{"id":"A1"}' })
    expect(call).toMatchObject({ name: legal, args: {} })
    expect(call?.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(problemOf(call)).toMatchObject({
      error_type: 'unknown_tool',
      message: 'There is no such tool. The tools are: lookup.',
    })
  })

  it('of an agent without tools is told so', async () => {
    const call = await readOne({ name: 'lookup', arguments: '{}' }, [])
    expect(problemOf(call)).toMatchObject({ error_type: 'unknown_tool' })
  })

  it('is one that the manifest offers and this worker no longer has', async () => {
    const manifest = manifestOf(agentWith({ tools: [lookup, toolNamed('old')] }))
    const raw = reply({ calls: [{ name: 'old', arguments: '{}' }] })
    const { calls } = await readReply(raw, manifest, { tools: [lookup], context: null })
    expect(problemOf(calls[0])).toMatchObject({ error_type: 'unknown_tool' })
  })

  it('is one that this worker has and the manifest does not offer', async () => {
    const raw = reply({ calls: [{ name: 'new', arguments: '{}' }] })
    const { calls } = await readReply(raw, manifestOf(), {
      tools: [lookup, toolNamed('new')],
      context: null,
    })
    expect(problemOf(calls[0])).toMatchObject({ error_type: 'unknown_tool' })
  })
})

it.each(['constructor', '__proto__', 'hasOwnProperty', '-', '0'])(
  'a tool may be named %s',
  async (name) => {
    const call = await readOne({ name, arguments: '{"a":1}' }, [toolNamed(name)])
    expect(call).toEqual({ name, args: { a: 1 } })
  },
)

describe('a reply', () => {
  it('keeps its calls in order, each with its own fate', async () => {
    const raw = reply({
      calls: [
        { name: 'lookup', arguments: '{"id":"A1"}' },
        { name: 'nope', arguments: '{}' },
        { name: 'lookup', arguments: { id: 'A2' } },
        { name: 'lookup', arguments: undefined },
      ],
    })
    const { calls } = await readReply(raw, manifestOf(), { tools: [lookup], context: null })
    expect(calls.map(({ problem }) => problem !== undefined)).toEqual([false, true, false, true])
    expect(calls.map(({ args }) => args)).toEqual([{ id: 'A1' }, {}, { id: 'A2' }, {}])
  })

  it('that was cut at its token limit runs none of its calls', async () => {
    const calls = [
      { name: 'lookup', arguments: '{"id":"A1"}' },
      { name: 'loo kup', arguments: '{"id":"A' },
    ]
    const read = await readReply(reply({ calls, finish: 'length' }), manifestOf(), {
      tools: [lookup],
      context: null,
    })
    expect(read.finish).toBe('length')
    expect(read.calls.map(({ name, args }) => ({ name, args }))).toEqual([
      { name: 'lookup', args: {} },
      { name: 'loo_kup', args: {} },
    ])
    expect(read.calls.map(problemOf)).toMatchObject([
      { error_type: 'not_run', retryable: true },
      { error_type: 'not_run', retryable: true },
    ])
  })

  it('keeps its text, well formed, its finish and its tokens', async () => {
    const tokens = { promptTokens: 3, completionTokens: 4 }
    const raw = reply({ text: 'half \ud83d', finish: 'refusal', tokens })
    expect(await readReply(raw, manifestOf(), { tools: [lookup], context: null })).toEqual({
      text: 'half \ufffd',
      calls: [],
      finish: 'refusal',
      tokens,
    })
  })
})
