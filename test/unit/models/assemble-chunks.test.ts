import { describe, expect, it } from 'vitest'
import { assembleChunks } from '../../../src/models/assemble-chunks.js'
import type { RawReply } from '../../../src/models/model.js'
import { readCompletion } from '../../../src/models/read-completion.js'

/** A chunk with one choice. */
function part(delta: unknown, more: object = {}) {
  return { choices: [{ index: 0, delta, finish_reason: null, ...more }] }
}

const STOP = part({}, { finish_reason: 'stop' })

/** What the stream says, read as the worker reads it. */
function said(...chunks: readonly unknown[]): RawReply {
  return readCompletion(assembleChunks(chunks).completion)
}

function callPart(...calls: readonly unknown[]) {
  return part({ tool_calls: calls })
}

function fn(name: string | null, args: unknown) {
  return { function: { ...(name === null ? {} : { name }), arguments: args } }
}

describe('the text of a stream', () => {
  it('is the sum of its deltas', () => {
    expect(
      said(
        part({ role: 'assistant', content: '' }),
        part({ content: 'Hel' }),
        part({ content: 'lo' }),
        STOP,
      ),
    ).toEqual({ text: 'Hello', calls: [], finish: 'stop', tokens: null })
  })

  it('is that of the refusal when there is no other', () => {
    const deltas = [part({ refusal: 'I can' }), part({ refusal: 'not help.' }), STOP]
    expect(said(...deltas)).toMatchObject({ text: 'I cannot help.', finish: 'refusal' })
  })

  it('is that of the first choice only', () => {
    const two = {
      choices: [
        { index: 1, delta: { content: 'no' } },
        { index: 0, delta: { content: 'yes' } },
      ],
    }
    const other = { choices: [{ index: 1, delta: { content: 'no' }, finish_reason: 'stop' }] }
    expect(said(two, other, STOP)).toMatchObject({ text: 'yes', calls: [] })
    expect(assembleChunks([two, other]).finished).toBe(false)
  })

  it('may come as parts, like that of a whole message', () => {
    const parts = [{ type: 'text', text: 'Hel' }, { type: 'image' }, { text: 'lo' }]
    expect(said(part({ content: parts }), STOP).text).toBe('Hello')
  })

  it.each([
    ['the only chunk', []],
    ['the last chunk', [part({ role: 'assistant' })]],
    [
      'the last chunk, after all of its deltas',
      [part({ content: 'Hel' }), part({ content: 'lo' })],
    ],
  ])('may be a whole message in %s', (_where, before) => {
    const whole = { choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }] }
    expect(said(...before, whole)).toMatchObject({ text: 'Hello', finish: 'stop' })
  })

  it.each([{}, null, { role: 'assistant', content: '' }])(
    'is that of the deltas where each chunk has an empty message beside it: %j',
    (message) => {
      const chunks = ['Hel', 'lo'].map((content) => part({ content }, { message }))
      expect(said(...chunks, part({}, { message, finish_reason: 'stop' })).text).toBe('Hello')
    },
  )

  it('may be a whole message beside an empty delta', () => {
    expect(said(part({}, { message: { content: 'Hello' }, finish_reason: 'stop' })).text).toBe(
      'Hello',
    )
  })

  it('survives chunks that hold nothing, or nonsense', () => {
    const odd = [null, 7, 'x', [], {}, { choices: [] }, { choices: null }, { choices: [{}] }]
    const empty = [part(null), part({ content: 5, tool_calls: 'x' }), part({ tool_calls: [null] })]
    expect(said(...odd, part({ content: 'Hi' }), ...empty, ...odd, STOP)).toMatchObject({
      text: 'Hi',
      calls: [],
    })
  })
})

describe('the calls of a stream', () => {
  it('without index are one call in two chunks (B21)', () => {
    const first = callPart({ id: 'c1', ...fn('add', '{"a":1') })
    const second = callPart(fn(null, ',"b":2}'))
    expect(said(first, second, part({}, { finish_reason: 'tool_calls' })).calls).toEqual([
      { name: 'add', arguments: '{"a":1,"b":2}' },
    ])
  })

  it('without index are two calls when the second chunk has an id of its own (B21)', () => {
    const first = callPart({ id: 'c1', ...fn('add', '{"a":1}') })
    const second = callPart({ id: 'c2', ...fn('add', '{"b":2}') })
    expect(said(first, second, STOP).calls).toEqual([
      { name: 'add', arguments: '{"a":1}' },
      { name: 'add', arguments: '{"b":2}' },
    ])
  })

  it('are two in one chunk, in their order', () => {
    const both = callPart({ id: 'c1', ...fn('b', '{}') }, { id: 'c2', ...fn('a', '{}') })
    expect(said(both, STOP).calls.map(({ name }) => name)).toEqual(['b', 'a'])
  })

  it('may have an index that is no number', () => {
    const first = callPart({ index: '0', id: 'c1', ...fn('add', '{"a"') })
    expect(said(first, callPart({ index: null, ...fn(null, ':1}') }), STOP).calls).toEqual([
      { name: 'add', arguments: '{"a":1}' },
    ])
  })

  it('may bring arguments as an object', () => {
    expect(said(callPart({ index: 0, id: 'c1', ...fn('add', { a: 1 }) }), STOP).calls).toEqual([
      { name: 'add', arguments: { a: 1 } },
    ])
  })

  it('may be made by the old field, in pieces', () => {
    const first = part({ function_call: { name: 'add', arguments: '' } })
    const pieces = ['{"a"', ':1}'].map((text) => part({ function_call: { arguments: text } }))
    expect(said(first, ...pieces, part({}, { finish_reason: 'function_call' })).calls).toEqual([
      { name: 'add', arguments: '{"a":1}' },
    ])
  })

  it('made by both fields are one: no tool runs twice for one call', () => {
    const old = { name: 'add', arguments: '{}' }
    const both = part({ tool_calls: [{ index: 0, id: 'c1', function: old }], function_call: old })
    expect(said(both, STOP).calls).toEqual([old])
  })

  it('in a whole message after all of their deltas are not made twice', () => {
    const call = { id: 'c1', ...fn('add', '{"a":1}') }
    const whole = { choices: [{ message: { tool_calls: [call] }, finish_reason: 'tool_calls' }] }
    expect(said(callPart({ index: 0, ...call }), whole).calls).toEqual([
      { name: 'add', arguments: '{"a":1}' },
    ])
  })
})

describe('the end of a stream', () => {
  const HI = part({ content: 'Hi' })

  it('is known by a finish reason, which is handed on', () => {
    const cut = assembleChunks([HI, part({}, { finish_reason: 'length' })])
    expect(cut.finished).toBe(true)
    expect(readCompletion(cut.completion).finish).toBe('length')
  })

  it.each([null, undefined, ''])('is not known by the finish reason %j (B22)', (finish_reason) => {
    expect(assembleChunks([part({ content: 'Hi' }, { finish_reason })]).finished).toBe(false)
  })

  it('keeps a finish reason that an empty chunk follows', () => {
    const { finished, completion } = assembleChunks([HI, part({}, { finish_reason: 'length' }), HI])
    expect(finished).toBe(true)
    expect(readCompletion(completion).finish).toBe('length')
  })

  it('without any choice is no completion', () => {
    expect(assembleChunks([])).toEqual({ completion: { choices: [] }, finished: false })
    expect(() => said({ choices: [] })).toThrow('no chat completion')
  })
})

describe('the usage of a stream', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 4 }
  const tokens = { promptTokens: 3, completionTokens: 4 }

  it('comes in a chunk of its own, without choices', () => {
    expect(said(part({ content: 'x' }), STOP, { choices: [], usage }).tokens).toEqual(tokens)
  })

  it('is the last one where every chunk has one', () => {
    const early = { ...part({ content: 'x' }), usage: { prompt_tokens: 3, completion_tokens: 1 } }
    expect(said(early, { ...STOP, usage }).tokens).toEqual(tokens)
  })

  it.each([null, undefined, {}, 'x', []])(
    'that is %j is unknown, and no later null hides it',
    (none) => {
      expect(said({ ...STOP, usage: none }).tokens).toBeNull()
      expect(said({ ...STOP, usage }, { choices: [], usage: null }).tokens).toEqual(tokens)
    },
  )
})

describe('an error in the middle of a stream', () => {
  it.each([
    [{ error: { message: 'overloaded', code: 'server_error' } }, 'overloaded', 'server_error'],
    [{ error: { message: 'overloaded', type: 'api_error' } }, 'overloaded', 'api_error'],
    [{ error: 'overloaded' }, 'overloaded', 'error_in_body'],
    [{ ...part({ content: 'x' }), error: { message: 'lost', code: 502 } }, 'lost', 'error_in_body'],
    [{ object: 'error', message: 'out of memory', code: 500 }, 'out of memory', 'error_in_body'],
  ])('ends it: %j', (error, message, code) => {
    expect(() => assembleChunks([part({ content: 'Hal' }), error, STOP])).toThrow(
      expect.objectContaining({ name: 'ModelError', status: null, message, code }),
    )
  })
})
