import { describe, expect, it } from 'vitest'
import { type Dialect, requestBody } from '../../../src/models/request-body.js'
import { checkRequest } from '../../../src/testing/index.js'
import { prompt, TOOL } from './endpoint.js'

const PLAIN: Dialect = { stream: false, schema: 'full', refused: new Set() }
const STRICT = { ...TOOL, strict: true }

function body(
  asked: Parameters<typeof prompt>[0],
  dialect: Partial<Omit<Dialect, 'refused'>> & { readonly refused?: readonly string[] } = {},
) {
  const made = requestBody(prompt(asked), {
    ...PLAIN,
    ...dialect,
    refused: new Set(dialect.refused),
  })
  expect(checkRequest(made)).toEqual([])
  return made
}

describe('streaming', () => {
  it('is asked for with the usage', () => {
    expect(body({}, { stream: true })).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('is not mentioned when it is off', () => {
    expect(Object.keys(body({}))).toEqual(['model', 'messages'])
  })

  it('is not asked for again once it was refused, nor are its options', () => {
    expect(Object.keys(body({}, { stream: true, refused: ['stream'] }))).toEqual([
      ...['model', 'messages'],
    ])
  })

  it('goes on without its options where those were refused', () => {
    const made = body({}, { stream: true, refused: ['stream_options'] })
    expect(made).toMatchObject({ stream: true })
    expect(made).not.toHaveProperty('stream_options')
  })
})

describe('a refused parameter', () => {
  const settings = { temperature: 0.5, topP: 0.9, maxTokens: 7, seed: 1, stop: ['END'] }

  it('max_tokens goes by its newer name', () => {
    const made = body({ settings }, { refused: ['max_tokens'] })
    expect(made).toMatchObject({ max_completion_tokens: 7, temperature: 0.5 })
    expect(made).not.toHaveProperty('max_tokens')
  })

  it('max_tokens under both names is left out', () => {
    const made = body({ settings }, { refused: ['max_tokens', 'max_completion_tokens'] })
    expect(made).not.toHaveProperty('max_tokens')
    expect(made).not.toHaveProperty('max_completion_tokens')
  })

  it.each(['temperature', 'top_p', 'seed', 'stop'])('%s alone is left out', (name) => {
    const { [name]: left, ...rest } = body({ settings })
    expect(left).toBeDefined()
    expect(body({ settings }, { refused: [name] })).toEqual(rest)
  })

  it('parallel_tool_calls is left out', () => {
    const asked = { tools: [TOOL], parallel: false }
    expect(body(asked)).toHaveProperty('parallel_tool_calls', false)
    expect(body(asked, { refused: ['parallel_tool_calls'] })).not.toHaveProperty(
      'parallel_tool_calls',
    )
  })

  it('strict is left out of every tool', () => {
    const tools = [STRICT, { ...STRICT, name: 'other' }]
    expect(JSON.stringify(body({ tools }))).toContain('"strict":true')
    expect(JSON.stringify(body({ tools }, { refused: ['strict'] }))).not.toContain('"strict"')
  })
})

describe('a summary', () => {
  const summary = { role: 'user', kind: 'summary', text: 'It was late.' } as const

  it('begins the question that follows: some templates refuse two user messages in a row', () => {
    const messages = [summary, { role: 'user', text: 'And now?' } as const]
    expect(body({ messages })['messages']).toMatchObject([
      { role: 'system' },
      { role: 'user', content: 'It was late.\n\nAnd now?' },
    ])
  })

  it('stands alone before a reply', () => {
    const reply = { role: 'assistant', text: 'Yes.', calls: [], turn: 1, step: 2 } as const
    const messages = [summary, reply, { role: 'user', text: 'And now?' } as const]
    expect(body({ messages })['messages']).toMatchObject([
      { role: 'system' },
      { role: 'user', content: 'It was late.' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'And now?' },
    ])
  })
})

describe('the forced answer', () => {
  it('says nothing of tools, whatever was refused', () => {
    const made = body({ parallel: false, tools: [] }, { refused: ['strict'] })
    expect(Object.keys(made)).toEqual(['model', 'messages'])
  })
})

describe('a tool', () => {
  it('says that it is strict only where it is', () => {
    const made = body({ tools: [TOOL, { ...STRICT, name: 'other' }] })
    const tools = made['tools'] as { function: { strict?: boolean } }[]
    expect(tools.map((tool) => tool.function.strict)).toEqual([undefined, true])
  })

  it('is described by a simple schema, and not strict, where the model wants that', () => {
    const parameters = {
      type: 'object',
      properties: { id: { type: 'string', pattern: '^A', minLength: 1 } },
      required: ['id'],
      additionalProperties: false,
    }
    const made = body({ tools: [{ ...STRICT, parameters }] }, { schema: 'simple' })
    const { name, description } = TOOL
    expect(made['tools']).toEqual([
      {
        type: 'function',
        function: {
          name,
          description,
          parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
        },
      },
    ])
  })
})

it('settings that are not set are no keys, not undefined ones', () => {
  const made = body({ settings: { temperature: 0 } })
  expect(Object.keys(made)).toEqual(['model', 'messages', 'temperature'])
  expect(Object.values(made)).not.toContain(undefined)
})
