import { describe, expect, test } from 'vitest'
import {
  callTool,
  callTools,
  empty,
  type Reply,
  raw,
  refuse,
  say,
  sse,
} from '../../../src/testing/index.js'
import { always, complete, HELLO, openai, post, start, stream } from './start.js'

/** The message of a reply, asked for without a stream and, put together again, with one. */
async function bothWays(reply: Reply): Promise<object[]> {
  const server = await always(reply)
  const plain = (await complete(server)).choices[0]
  const parts = await stream(server)
  const text = parts.map((part) => part.choices[0]?.delta.content ?? '').join('')
  const refusal = parts.map((part) => part.choices[0]?.delta.refusal ?? '').join('')
  const calls: { name: string; args: string }[] = []
  for (const delta of parts.flatMap((part) => part.choices[0]?.delta.tool_calls ?? [])) {
    if (delta.id !== undefined) calls[delta.index] = { name: delta.function?.name ?? '', args: '' }
    const call = calls[delta.index]
    if (call !== undefined) call.args += delta.function?.arguments ?? ''
  }
  const finish = parts.flatMap((part) => part.choices[0]?.finish_reason ?? [])
  const whole = (plain?.message.tool_calls ?? []).flatMap((call) =>
    call.type === 'function' ? [{ name: call.function.name, args: call.function.arguments }] : [],
  )
  return [
    {
      text: plain?.message.content ?? '',
      refusal: plain?.message.refusal ?? '',
      calls: whole,
      finish: [plain?.finish_reason],
    },
    { text, refusal, calls, finish },
  ]
}

const long = 'A long text with an emoji at a place where pieces end 😀😀😀, and Ünïcödé.'

const cases: readonly (readonly [string, Reply, object])[] = [
  ['a text', say(long), { text: long, refusal: '', calls: [], finish: ['stop'] }],
  [
    'a text cut at the limit of tokens',
    say('half an', { finishReason: 'length' }),
    { text: 'half an', refusal: '', calls: [], finish: ['length'] },
  ],
  [
    'one call',
    callTool('lookup_order', { id: 'A1' }),
    {
      text: '',
      refusal: '',
      calls: [{ name: 'lookup_order', args: '{"id":"A1"}' }],
      finish: ['tool_calls'],
    },
  ],
  [
    'several calls beside a text',
    callTools(
      [
        { name: 'a', args: { text: long } },
        { name: 'b', args: '{"city" "Oslo"}' },
        { name: 'c', args: '' },
      ],
      { text: 'One moment.' },
    ),
    {
      text: 'One moment.',
      refusal: '',
      calls: [
        { name: 'a', args: JSON.stringify({ text: long }) },
        { name: 'b', args: '{"city" "Oslo"}' },
        { name: 'c', args: '' },
      ],
      finish: ['tool_calls'],
    },
  ],
  [
    'a refusal',
    refuse('I cannot help with that.'),
    { text: '', refusal: 'I cannot help with that.', calls: [], finish: ['stop'] },
  ],
  ['nothing', empty(), { text: '', refusal: '', calls: [], finish: ['stop'] }],
  [
    'nothing but a content filter',
    empty({ finishReason: 'content_filter' }),
    { text: '', refusal: '', calls: [], finish: ['content_filter'] },
  ],
]

describe('a reply is the same with and without a stream', () => {
  test.each(cases)('%s', async (_name, reply, message) => {
    expect(await bothWays(reply)).toEqual([message, message])
  })
})

test('ids, times and usage derive from the request, so that two runs give the same bytes', async () => {
  const script = [say('hello back'), callTool('a', {}), callTool('a', {}, { id: 'mine' })]
  const texts = async (body: object): Promise<string[]> => {
    const server = await start({ script })
    const list: string[] = []
    for (const _ of script) list.push(await (await post(server, body)).text())
    return list
  }
  for (const body of [HELLO, { ...HELLO, stream: true }]) {
    expect(await texts(body)).toEqual(await texts(body))
  }
  const [first, second, third] = (await texts(HELLO)).map((text) => JSON.parse(text))
  expect(first).toMatchObject({
    id: 'chatcmpl-0',
    model: 'test-model',
    usage: { completion_tokens: 3 },
  })
  expect(second.choices[0].message.tool_calls[0].id).toBe('call_1_0')
  expect(third.choices[0].message.tool_calls[0].id).toBe('mine')
})

describe('usage', () => {
  const tokens = { promptTokens: 7, completionTokens: 2 }

  test('is what the reply says, in the last chunk of a stream that asked for it', async () => {
    const server = await always(say('hi', { usage: tokens }))
    const usage = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 }
    expect((await complete(server)).usage).toEqual(usage)
    const chunks = await stream(server)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage })
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true)
  })

  test('is not in a stream that did not ask for it', async () => {
    const server = await always(say('hi', { usage: tokens }))
    const text = await (await post(server, { ...HELLO, stream: true })).text()
    expect(text).not.toContain('usage')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('is left out when the reply says null', async () => {
    const server = await always(say('hi', { usage: null }))
    expect(await complete(server)).not.toHaveProperty('usage')
    expect((await stream(server)).filter((chunk) => chunk.usage)).toEqual([])
  })
})

describe('raw', () => {
  test('sends any JSON with any status and headers', async () => {
    const server = await always(raw([1, null], { status: 203, headers: { 'x-a': 'b' } }))
    const response = await post(server)
    expect(response.status).toBe(203)
    expect(response.headers.get('x-a')).toBe('b')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual([1, null])
  })

  test('sends a string as it is', async () => {
    const server = await always(raw('{"cut', { headers: { 'content-type': 'application/json' } }))
    expect(await (await post(server, { ...HELLO, stream: true })).text()).toBe('{"cut')
  })

  test('tells a test whose headers HTTP does not allow', async () => {
    const server = await always(raw('x', { headers: { 'bad name': 'x' } }))
    const response = await post(server)
    expect(response.status).toBe(500)
    expect(await response.text()).toContain('The reply cannot be sent')
  })
})

test('sse streams exactly the chunks given, such as call deltas without an index', async () => {
  const delta = { tool_calls: [{ id: 'c1', function: { name: 'add', arguments: '{' } }] }
  const chunks = [{ choices: [{ delta }] }, { choices: [], error: 'x' }]
  const server = await start({ script: [sse(chunks), sse(chunks, { done: false })] })
  const iterated = await openai(server)
    .chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'x' }],
      stream: true,
    })
    .then(async (parts) => {
      const first = await parts[Symbol.asyncIterator]().next()
      return first.value
    })
  expect(iterated).toEqual(chunks[0])
  const text = await (await post(server, { ...HELLO, stream: true })).text()
  expect(text).not.toContain('[DONE]')
})
