import { describe, expect, test } from 'vitest'
import {
  callTool,
  delay,
  drip,
  hang,
  type RespondInfo,
  reset,
  say,
  startModelServer,
} from '../../../src/testing/index.js'
import { complete, HELLO, openai, post, start, stream } from './start.js'

const ILLEGAL = { ...HELLO, tools: [] }

describe('a script', () => {
  test('is answered in order, then every request gets a 500 that says so', async () => {
    const server = await start({ script: [say('one'), say('two')] })
    expect((await complete(server)).choices[0]?.message.content).toBe('one')
    expect((await stream(server)).length).toBeGreaterThan(1)
    await expect(complete(server)).rejects.toMatchObject({
      status: 500,
      code: 'script_exhausted',
      message: expect.stringContaining('script of 2 replies is used up; this is request 3'),
    })
  })

  test('that is used up tells the openai package not to retry', async () => {
    const server = await start({ script: [] })
    await expect(
      openai(server).chat.completions.create(
        { model: 'm', messages: [{ role: 'user', content: 'x' }] },
        { maxRetries: 2 },
      ),
    ).rejects.toThrow('script of 0 replies')
    expect(server.requests).toHaveLength(1)
  })

  test('is not used up by requests that are refused', async () => {
    const server = await start({ script: [say('one')], apiKey: 'right' })
    expect((await post(server, ILLEGAL)).status).toBe(401)
    const headers = { authorization: 'Bearer right' }
    expect((await post(server, ILLEGAL, { headers })).status).toBe(400)
    expect((await post(server, HELLO, { headers })).status).toBe(200)
  })
})

describe('a function', () => {
  test('is told the request, its place, and how often the same body came', async () => {
    const told: RespondInfo[] = []
    const server = await start({
      respond: async (request, info) => {
        told.push(info)
        return say(`${request.messages.length} message`)
      },
    })
    await post(server)
    await post(server, ILLEGAL)
    await post(server, { messages: HELLO.messages, model: HELLO.model })
    const other = await post(server, { ...HELLO, temperature: 0 })
    expect(await other.text()).toContain('1 message')
    expect(told).toEqual([
      { index: 0, attempt: 1 },
      { index: 1, attempt: 2 },
      { index: 2, attempt: 1 },
    ])
  })

  test('can fail the first attempt only', async () => {
    const server = await start({
      respond: (_request, { attempt }) => (attempt === 1 ? reset('before') : say('at last')),
    })
    await expect(complete(server)).rejects.toThrow()
    expect((await complete(server)).choices[0]?.message.content).toBe('at last')
  })

  test('that throws is a 500 with its message', async () => {
    const server = await start({
      respond: () => {
        throw new Error('no such order')
      },
    })
    await expect(complete(server)).rejects.toThrow(/respond\(\) threw: Error: no such order/)
  })
})

describe('a strict server', () => {
  test('refuses an illegal request in the form of OpenAI', async () => {
    const server = await start({ script: [say('one')] })
    const response = await post(server, { ...ILLEGAL, stream: true })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: {
        message: expect.stringContaining('tools: must be an array with at least one tool'),
        type: 'invalid_request_error',
        param: 'tools',
        code: 'tools',
      },
    })
  })

  test('accepts what the openai package sends for a whole round of calls', async () => {
    const server = await start({ script: [callTool('lookup_order', { id: 'A1' }), say('shipped')] })
    const chat = openai(server).chat.completions
    const ask = { role: 'user' as const, content: 'Where is A1?' }
    const first = await chat.create({ model: 'm', messages: [ask] })
    const reply = first.choices[0]?.message
    const id = reply?.tool_calls?.[0]?.id ?? ''
    const second = await chat.create({
      model: 'm',
      messages: [ask, ...(reply ? [reply] : []), { role: 'tool', tool_call_id: id, content: '{}' }],
    })
    expect(second.choices[0]?.message.content).toBe('shipped')
  })

  test.each(['{"model"', '', '[]', 'null'])('refuses the body %j', async (body) => {
    const server = await start({ script: [], strict: false })
    const response = await post(server, body)
    expect(response.status).toBe(400)
    expect(server.requests[0]).toMatchObject({ status: 400, body: { model: '', messages: [] } })
  })

  test('refuses half a surrogate pair that JSON spells as an escape', async () => {
    const server = await start({ script: [] })
    const body = '{"model":"m","messages":[{"role":"user","content":"\\ud83d"}]}'
    const answer = await (await post(server, body)).json()
    expect(answer).toMatchObject({ error: { param: 'messages[0].content', code: 'well-formed' } })
  })
})

test('a server that is not strict answers an illegal request and logs what was wrong', async () => {
  const server = await start({ script: [say('one'), say('two')], strict: false })
  expect((await post(server, ILLEGAL)).status).toBe(200)
  expect((await post(server, {})).status).toBe(200)
  expect(server.requests[0]?.violations).toEqual([
    'tools: must be an array with at least one tool; leave the field out otherwise (tools)',
  ])
  expect(server.requests[1]?.violations).toHaveLength(2)
})

describe('an API key', () => {
  test.each([{}, { authorization: 'Bearer wrong' }])('is asked for: %j', async (headers) => {
    const server = await start({ script: [say('one')], apiKey: 'right' })
    const response = await post(server, HELLO, { headers })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key' } })
    expect((await fetch(`${server.url}/models`, { headers })).status).toBe(401)
  })

  test('lets the right one through', async () => {
    const server = await start({ script: [say('one')], apiKey: 'right' })
    const client = openai(server, 'right')
    await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'x' }] })
    expect((await client.models.list()).data.map((model) => model.id)).toEqual(['test-model'])
  })
})

describe('other routes', () => {
  test('GET /v1/models lists the models', async () => {
    const server = await start({ script: [], models: ['a', 'b'] })
    const list = await openai(server).models.list()
    expect(list.data.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  test.each(['/v1/completions', '/chat/completions', '//'])('POST %s is unknown', async (path) => {
    const server = await start({ script: [say('one')] })
    const response = await fetch(server.url.slice(0, -'/v1'.length) + path, { method: 'POST' })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
    expect(server.requests).toEqual([])
  })
})

describe('close', () => {
  test.each([
    ['hangs', hang()],
    ['hangs in its body', hang('body')],
    ['is delayed', delay(60_000, say('late'))],
    ['drips', drip(say('slow'), { everyMs: 60_000, bytes: 1 })],
  ])('ends a request that %s at once, and is no client that went away', async (_name, reply) => {
    const server = await start({ script: [reply] })
    const answer = post(server).then((response) => response.text())
    const failed = expect(answer).rejects.toThrow()
    await server.waitFor(1)
    const from = performance.now()
    await server.close()
    await failed
    expect(performance.now() - from).toBeLessThan(1_000)
    expect(server.requests[0]?.closedByClient).toBe(false)
  })

  test('ends a request whose reply is not known yet', async () => {
    const server = await start({ respond: () => new Promise(() => undefined) })
    const failed = expect(post(server)).rejects.toThrow()
    await server.waitFor(1)
    await server.close()
    await failed
  })

  test('frees the port and may be called again', async () => {
    const first = await start({ script: [] })
    const port = Number(new URL(first.url).port)
    await expect(startModelServer({ script: [], port })).rejects.toThrow('EADDRINUSE')
    await first.close()
    await first.close()
    const second = await start({ script: [say('again')], port })
    expect(second.url).toBe(`http://127.0.0.1:${port}/v1`)
    expect((await post(second)).status).toBe(200)
  })
})
