import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ModelError, type ModelErrorFacts } from '../../../src/models/model-error.js'
import { refusedParameter } from '../../../src/models/refused-parameter.js'

const BODY = {
  model: 'm',
  messages: [],
  max_tokens: 7,
  temperature: 0,
  top_p: 1,
  seed: 0,
  stop: ['END'],
  parallel_tool_calls: false,
  stream: true,
  stream_options: { include_usage: true },
  tools: [{ type: 'function', function: { name: 'a', parameters: {}, strict: true } }],
}

function refused(message: string, facts: Partial<ModelErrorFacts> = {}, body: object = BODY) {
  return refusedParameter(new ModelError(message, { status: 400, ...facts }), body as typeof BODY)
}

describe('a parameter that an error names by its field', () => {
  it.each([
    ['max_tokens', 'max_tokens'],
    ['temperature', 'temperature'],
    ['parallel_tool_calls', 'parallel_tool_calls'],
    ['stream', 'stream'],
    ['stream_options', 'stream_options'],
    ['body.temperature', 'temperature'],
    ['stream_options.include_usage', 'stream_options'],
    ['tools[0].function.strict', 'strict'],
    ['tools.0.function.strict', 'strict'],
    ['tools[0].strict', 'strict'],
  ])('%s is %s', (param, name) => {
    expect(refused('Unsupported parameter.', { param, code: 'unsupported_parameter' })).toBe(name)
  })

  it.each(['max_tokens', 'temperature'])('needs no message: %s', (param) => {
    const facts = { param, code: 'unsupported_parameter' }
    expect(refused('400 status code (no body)', facts)).toBe(param)
  })

  it('and does not send any more is not the cause', () => {
    const body = { ...BODY, max_tokens: undefined, max_completion_tokens: 7 }
    expect(refused('Unsupported.', { param: 'max_tokens' }, body)).toBeNull()
    expect(refused('Unsupported.', { param: 'max_completion_tokens' }, body)).toBe(
      'max_completion_tokens',
    )
  })

  it.each([
    'messages',
    'model',
    'tools',
    'messages[1].content',
    'tools[0].function.name',
    'x',
    '__proto__',
  ])('and that no request can do without is none: %s', (param) => {
    expect(refused('Unsupported parameter: temperature', { param })).toBeNull()
  })

  it('but whose value alone is wrong is not taken away: it is a mistake of the caller', () => {
    const tooLarge = 'max_tokens is too large: 99999. This model supports at most 4096 tokens.'
    expect(refused(tooLarge, { param: 'max_tokens', code: 'invalid_value' })).toBeNull()
    const above = "Invalid 'temperature': decimal above maximum value. Expected a value <= 2."
    expect(refused(above, { param: 'temperature', code: 'decimal_above_max_value' })).toBeNull()
  })

  it('may be no text at all', () => {
    for (const param of [['body', 'temperature'], { a: 1 }, 7, true]) {
      const facts = { param: param as unknown as string }
      expect(() => refused('Unsupported: temperature', facts)).not.toThrow()
    }
  })
})

describe('a parameter that only the message names', () => {
  it.each([
    ["Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", 'max_tokens'],
    [
      "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
      'temperature',
    ],
    ['Unrecognized request argument supplied: parallel_tool_calls', 'parallel_tool_calls'],
    ['Unrecognised field "seed"', 'seed'],
    ['property "parallel_tool_calls" is unsupported', 'parallel_tool_calls'],
    ['Unknown name "stream_options": Cannot find field.', 'stream_options'],
    ['stream is not supported with tools', 'stream'],
    [
      "[{'type': 'extra_forbidden', 'loc': ('body', 'top_p'), 'msg': 'Extra inputs are not permitted'}]",
      'top_p',
    ],
    ['body -> seed: extra fields not permitted', 'seed'],
    ['unexpected keyword argument: stop', 'stop'],
    ['tools.0.function.strict: Extra inputs are not permitted', 'strict'],
  ])('%s', (message, name) => {
    expect(refused(message)).toBe(name)
    expect(refused(message, { status: 422 })).toBe(name)
    expect(refused(message, { param: '' })).toBe(name)
  })

  it('but that was not sent is not the cause', () => {
    expect(refused('Unknown parameter: seed', {}, { model: 'm', messages: [] })).toBeNull()
    const loose = {
      ...BODY,
      tools: [{ type: 'function', function: { name: 'a', parameters: {} } }],
    }
    expect(refused('Unknown field: strict', {}, loose)).toBeNull()
  })

  it('is found as a whole word only', () => {
    expect(refused('Unsupported: reseeding, stopwords, mytemperature')).toBeNull()
    expect(refused('Unsupported: stream_options')).toBe('stream_options')
  })
})

describe('an error that is none of it', () => {
  it.each(['The model `m` does not exist.', 'Invalid JSON.', 'temperature must be at most 2', ''])(
    'is no refusal: %j',
    (message) => {
      expect(refused(message)).toBeNull()
    },
  )

  it.each([null, 401, 403, 404, 409, 429, 500, 503])('nor with status %s', (status) => {
    expect(refused('Unsupported parameter', { status, param: 'temperature' })).toBeNull()
  })
})

it('a refused parameter was always sent, whatever the error says', () => {
  const bodies = fc.subarray(Object.keys(BODY)).map((keys) => {
    return Object.fromEntries(Object.entries(BODY).filter(([key]) => keys.includes(key)))
  })
  const words = fc.constantFrom(...Object.keys(BODY), 'strict', 'unsupported', 'x', '.', ' ')
  const text = fc.array(words).map((list) => list.join(' '))
  return fc.assert(
    fc.property(bodies, text, fc.option(words), (body, message, param) => {
      const name = refused(message, { param }, body)
      if (name !== null) expect([...Object.keys(body), 'strict']).toContain(name)
    }),
  )
})
