import type OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import {
  cutJson,
  cutStream,
  delay,
  drip,
  hang,
  html,
  reset,
  say,
  status,
} from '../../../src/testing/index.js'
import { always, complete, HELLO, post, start, stream } from './start.js'

const STREAMED = { ...HELLO, stream: true }
const ways = [
  ['a plain request', HELLO],
  ['a streamed request', STREAMED],
] as const
const text = 'A text that is long enough to have a middle.'

describe.each(ways)('to %s', (_name, body) => {
  test.each([
    [400, 'invalid_request_error', null],
    [401, 'invalid_request_error', 'invalid_api_key'],
    [429, 'requests', 'rate_limit_exceeded'],
    [503, 'server_error', null],
  ])('status answers %i in the form of OpenAI', async (code, type, errorCode) => {
    const server = await always(status(code, { headers: { 'retry-after': '3' } }))
    const response = await post(server, body)
    expect(response.status).toBe(code)
    expect(response.headers.get('retry-after')).toBe('3')
    const error = { type, code: errorCode, param: null, message: expect.any(String) }
    expect(await response.json()).toEqual({ error })
  })

  test('status sends another body when it is given one', async () => {
    const server = await always(status(400, { body: { error: { code: 'unsupported_parameter' } } }))
    const answer = await (await post(server, body)).json()
    expect(answer).toEqual({ error: { code: 'unsupported_parameter' } })
  })

  test('html answers a page', async () => {
    const server = await start({ script: [html(), html(200)] })
    const page = await post(server, body)
    expect(page.status).toBe(502)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(await page.text()).toMatch(/^<!doctype html>/)
    expect((await post(server, body)).status).toBe(200)
  })

  test('hang sends nothing until the client goes away', async () => {
    const server = await always(hang())
    const leave = new AbortController()
    const aborted = expect(post(server, body, leave)).rejects.toThrow(/abort/i)
    await server.waitFor(1)
    leave.abort()
    await aborted
    const [entry] = await server.waitFor(([one]) => one?.closedByClient === true)
    expect(entry?.status).toBeNull()
  })

  test('hang in the body sends half of it', async () => {
    const server = await always(hang('body', say(text)))
    const leave = new AbortController()
    const response = await post(server, body, leave)
    expect(response.status).toBe(200)
    const reader = response.body?.getReader()
    expect((await reader?.read())?.value?.length).toBeGreaterThan(50)
    const rest = expect(reader?.read()).rejects.toThrow(/abort/i)
    leave.abort()
    await rest
    const [entry] = await server.waitFor(([one]) => one?.closedByClient === true)
    expect(entry?.status).toBe(200)
  })

  test('reset before the headers is a reset connection', async () => {
    const server = await always(reset('before'))
    await expect(post(server, body)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
    expect(server.requests[0]).toMatchObject({ status: null, closedByClient: false })
  })

  test('reset in the body comes after the headers', async () => {
    const server = await always(reset('body', say(text)))
    const response = await post(server, body)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
    expect(server.requests[0]).toMatchObject({ status: 200, closedByClient: false })
  })
})

describe.each(ways)('slowly, to %s', (_name, body) => {
  test('delay waits before the headers', async () => {
    const server = await always(delay(40, delay(40, say(text))))
    const from = performance.now()
    const response = await post(server, body)
    expect(performance.now() - from).toBeGreaterThanOrEqual(75)
    expect(await response.text()).toContain(body === HELLO ? text : '[DONE]')
  })

  test('drip sends the headers at once and the body bit by bit', async () => {
    const server = await always(drip(say(text), { everyMs: 5, bytes: 32 }))
    const response = await post(server, body)
    expect(server.requests[0]?.status).toBeNull()
    const sizes: number[] = []
    for await (const part of response.body ?? []) sizes.push(part.length)
    expect(sizes.length).toBeGreaterThan(1)
    expect(server.requests[0]?.status).toBe(200)
  })

  test('drip can be left in the middle', async () => {
    const server = await always(drip(say(text), { everyMs: 20, bytes: 8 }))
    const leave = new AbortController()
    await post(server, body, leave)
    leave.abort()
    await server.waitFor(([one]) => one?.closedByClient === true)
  })

  test('drip sends the same bytes as the reply itself', async () => {
    const reply = say('😀'.repeat(20))
    const [whole, dripped] = await Promise.all([
      always(reply),
      always(drip(reply, { everyMs: 1, bytes: 101 })),
    ])
    const texts = [await post(whole, body), await post(dripped, body)].map((one) => one.text())
    expect(await texts[1]).toBe(await texts[0])
  })
})

describe('cutJson', () => {
  test('ends a plain response whole for HTTP, with half of its JSON', async () => {
    const server = await always(cutJson(say(text)))
    const response = await post(server)
    expect(response.status).toBe(200)
    const body = await response.text()
    expect(body).toMatch(/^\{"id":"chatcmpl-0"/)
    expect(() => JSON.parse(body)).toThrow(SyntaxError)
  })

  test('ends a stream with half a chunk', async () => {
    const server = await always(cutJson(say(text)))
    const events = (await (await post(server, STREAMED)).text()).split('\n\n').slice(0, -1)
    const data = events.map((event) => event.slice('data: '.length))
    expect(() => data.slice(0, -1).map((one) => JSON.parse(one))).not.toThrow()
    expect(() => JSON.parse(data.at(-1) ?? '{}')).toThrow(SyntaxError)
  })
})

describe('cutStream', () => {
  test.each([false, true])('ends a stream without a finish reason (done: %s)', async (done) => {
    const server = await always(cutStream(say(text), { done }))
    const chunks = await stream(server)
    expect(chunks.map((one) => one.choices[0]?.delta.content).join('')).toBe(text)
    expect(chunks.every((one) => one.choices[0]?.finish_reason === null)).toBe(true)
    const raw = await (await post(server, STREAMED)).text()
    expect(raw.includes('[DONE]')).toBe(done)
  })

  test('cuts the JSON of a plain response, or leaves its finish reason out when done', async () => {
    const server = await start({
      script: [cutStream(say(text)), cutStream(say(text), { done: true })],
    })
    await expect(complete(server)).rejects.toThrow(SyntaxError)
    expect((await complete(server)).choices[0]).toMatchObject({
      finish_reason: null,
      message: { content: text },
    })
  })
})

describe('what the openai package makes of faults', () => {
  test('a status is its own error class', async () => {
    const server = await always(status(429))
    await expect(complete(server)).rejects.toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
    })
    await expect(stream(server)).rejects.toMatchObject({ status: 429 })
  })

  test('a reset before the headers is a connection error', async () => {
    const server = await always(reset('before'))
    await expect(complete(server)).rejects.toThrow('Connection error.')
    await expect(stream(server)).rejects.toThrow('Connection error.')
  })

  test('a reset in the body is a bare TypeError, after the first chunks of a stream', async () => {
    const server = await always(reset('body', say(text)))
    await expect(complete(server)).rejects.toThrow('terminated')
    const seen: OpenAI.Chat.Completions.ChatCompletionChunk[] = []
    await expect(stream(server, seen)).rejects.toThrow('terminated')
    expect(seen.length).toBeGreaterThan(0)
  })
})
