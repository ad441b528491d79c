import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { ModelError } from '../../../src/models/model-error.js'
import { readCompletion } from '../../../src/models/read-completion.js'

function completion(message: object, more: object = {}) {
  return { choices: [{ index: 0, finish_reason: 'stop', message }], ...more }
}

function call(name: unknown, args: unknown) {
  return { id: 'c', type: 'function', function: { name, arguments: args } }
}

describe('a message', () => {
  it.each([
    [{ content: 'hi' }, 'hi'],
    [{ content: null }, ''],
    [{}, ''],
    [{ content: '', refusal: null }, ''],
    [{ content: [{ type: 'text', text: 'a' }, { type: 'image' }, { text: 'b' }] }, 'ab'],
    [{ content: 'partly', refusal: 'no' }, 'partly'],
    [{ content: null, refusal: 'no' }, 'no'],
    [{ content: 5 }, ''],
  ])('%j says %j', (message, text) => {
    expect(readCompletion(completion(message)).text).toBe(text)
  })

  it('may call by the old field', () => {
    const message = { content: null, function_call: { name: 'a', arguments: '{}' } }
    expect(readCompletion(completion(message)).calls).toEqual([{ name: 'a', arguments: '{}' }])
  })

  it('that calls by both fields is read by the new one', () => {
    const message = {
      tool_calls: [call('new', '{}')],
      function_call: { name: 'old', arguments: '{}' },
    }
    expect(readCompletion(completion(message)).calls).toEqual([{ name: 'new', arguments: '{}' }])
  })

  it.each([{ tool_calls: [] }, { tool_calls: null }, {}])('%j calls nothing', (message) => {
    expect(readCompletion(completion({ content: 'x', ...message })).calls).toEqual([])
  })

  it('may give arguments as an object, or as null', () => {
    const message = { tool_calls: [call('a', { x: 1 }), call('b', null)] }
    expect(readCompletion(completion(message)).calls).toEqual([
      { name: 'a', arguments: { x: 1 } },
      { name: 'b', arguments: null },
    ])
  })

  it('keeps the place of a call that has no name', () => {
    const message = { tool_calls: [call(null, '{}'), { id: 'x', function: null }, call('b', '{}')] }
    expect(readCompletion(completion(message)).calls.map(({ name }) => name)).toEqual(['', '', 'b'])
  })

  it('may leave the arguments out', () => {
    const message = { tool_calls: [{ id: 'c', type: 'function', function: { name: 'a' } }] }
    expect(readCompletion(completion(message)).calls).toEqual([{ name: 'a', arguments: undefined }])
  })

  it('with one call that is no call keeps the others', () => {
    const message = { content: null, tool_calls: [call('a', '{}'), null, call(5, '{}')] }
    const { calls } = readCompletion(completion(message))
    expect(calls[0]).toEqual({ name: 'a', arguments: '{}' })
  })
})

describe('the finish reason', () => {
  it.each([
    ['stop', 'stop'],
    ['tool_calls', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    [null, 'stop'],
    ['eos', 'stop'],
    [7, 'stop'],
  ])('%j is read as %s', (finish_reason, finish) => {
    const body = { choices: [{ finish_reason, message: { content: 'x' } }] }
    expect(readCompletion(body).finish).toBe(finish)
  })

  it('is a refusal where the message holds one, unless it was filtered', () => {
    const message = { content: null, refusal: 'no' }
    expect(readCompletion(completion(message)).finish).toBe('refusal')
    const filtered = { choices: [{ finish_reason: 'content_filter', message }] }
    expect(readCompletion(filtered).finish).toBe('content_filter')
  })

  it('may be missing altogether', () => {
    expect(readCompletion({ choices: [{ message: { content: 'x' } }] }).text).toBe('x')
  })
})

describe('usage', () => {
  it('is read as tokens', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
    expect(readCompletion(completion({ content: 'x' }, { usage })).tokens).toEqual({
      promptTokens: 3,
      completionTokens: 4,
    })
  })

  it.each([
    null,
    {},
    'many',
    { prompt_tokens: '3', completion_tokens: 4 },
    { prompt_tokens: -1, completion_tokens: 4 },
    { prompt_tokens: Number.POSITIVE_INFINITY },
    { prompt_tokens: null },
  ])('%j is unknown, never NaN', (usage) => {
    expect(readCompletion(completion({ content: 'x' }, { usage })).tokens).toBeNull()
  })

  it('without completion tokens counts the prompt', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 'x' }
    expect(readCompletion(completion({ content: 'x' }, { usage })).tokens).toEqual({
      promptTokens: 3,
      completionTokens: 0,
    })
  })

  it('in fractions of a token is not believed: search attributes take whole numbers', () => {
    const usage = { prompt_tokens: 1.5, completion_tokens: 4 }
    expect(readCompletion(completion({ content: 'x' }, { usage })).tokens).toBeNull()
  })
})

describe('what is no completion', () => {
  it.each([
    undefined,
    null,
    '',
    'text',
    7,
    [],
    {},
    { choices: [] },
    { choices: null },
    { choices: [{ finish_reason: 'stop', message: null }] },
  ])('%j is a ModelError that shows it', (body) => {
    const shown = typeof body === 'string' ? body : (JSON.stringify(body) ?? 'nothing')
    expect(() => readCompletion(body)).toThrow(
      expect.objectContaining({
        name: 'ModelError',
        status: null,
        code: 'malformed_reply',
        message: expect.stringContaining(shown),
      }),
    )
  })
})

test('an error with status 200 is that error, though there are choices beside it', () => {
  for (const body of [
    { error: { message: 'no' } },
    completion({ content: 'x' }, { error: 'no' }),
  ]) {
    expect(() => readCompletion(body)).toThrow(
      expect.objectContaining({ name: 'ModelError', status: null, message: 'no' }),
    )
  }
})

test('whatever JSON comes, it is read or a ModelError', () => {
  const part = fc.oneof(fc.jsonValue(), fc.constant(undefined))
  const message = fc.record({ content: part, refusal: part, tool_calls: part, function_call: part })
  const body = fc.oneof(
    fc.jsonValue(),
    fc
      .tuple(message, part, part)
      .map(([said, finish_reason, usage]) => ({ ...completion(said, { usage }), finish_reason })),
  )
  return fc.assert(
    fc.property(body, (value) => {
      try {
        const { text, calls, tokens } = readCompletion(value)
        expect(typeof text).toBe('string')
        expect(calls.every(({ name }) => typeof name === 'string')).toBe(true)
        expect(tokens === null || Number.isFinite(tokens.promptTokens)).toBe(true)
      } catch (error) {
        expect(error).toBeInstanceOf(ModelError)
      }
    }),
  )
})
