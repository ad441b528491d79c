import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAIModel } from '../../../src/models/openai.js'
import {
  callTools,
  cutJson,
  cutStream,
  drip,
  hang,
  html,
  type Reply,
  raw,
  refuse,
  reset,
  say,
  sse,
} from '../../../src/testing/index.js'
import { endpoint, failing, prompt, signal } from './endpoint.js'

const RETRIED = { type: 'ModelUnavailable', nonRetryable: false }
const BOTH = [true, false] as const

/** A server that does what no well-behaved one does. */
async function oddServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

async function replyTo(reply: Reply, options: { stream?: boolean; idleTimeoutMs?: number } = {}) {
  const { server, model } = await endpoint({ script: [reply] }, options)
  const read = await model.complete(prompt(), signal())
  expect(server.requests).toHaveLength(1)
  return { read, body: server.requests[0]?.body }
}

describe('a reply', () => {
  it('is streamed by default, with its usage', async () => {
    const usage = { promptTokens: 12, completionTokens: 3 }
    const { read, body } = await replyTo(say('hi', { usage }))
    expect(body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(read).toEqual({ text: 'hi', calls: [], finish: 'stop', tokens: usage })
  })

  it('is one document with stream: false', async () => {
    const { read, body } = await replyTo(say('hi', { usage: null }), { stream: false })
    expect(body).not.toHaveProperty('stream')
    expect(body).not.toHaveProperty('stream_options')
    expect(read).toEqual({ text: 'hi', calls: [], finish: 'stop', tokens: null })
  })

  it('may be a document though a stream was asked for', async () => {
    const message = { content: 'hi' }
    const { read } = await replyTo(raw({ choices: [{ message, finish_reason: 'stop' }] }))
    expect(read.text).toBe('hi')
  })

  it('may be a stream though a document was asked for', async () => {
    const chunk = { choices: [{ delta: { content: 'hi' }, finish_reason: 'stop' }] }
    expect((await replyTo(sse([chunk]), { stream: false })).read.text).toBe('hi')
  })

  const answers: [string, Reply][] = [
    ['a text', say('The weather in 東京 is ☀️ and 😀'.repeat(5))],
    ['a refusal', refuse('I cannot help with that, and I shall say so at length.')],
    [
      'calls',
      callTools(
        [
          { name: 'a', args: { t: '天気😀' } },
          { name: 'b', args: {} },
        ],
        { text: 'One moment.' },
      ),
    ],
    ['cut by length', say('Once upon a time', { finishReason: 'length' })],
  ]
  it.each(answers)(
    'that is %s is the same, streamed or not, whole or byte by byte',
    async (_what, answer) => {
      const { read: plain } = await replyTo(answer, { stream: false })
      const { read: streamed } = await replyTo(answer)
      const { read: dripped } = await replyTo(drip(answer, { everyMs: 0, bytes: 1 }))
      const { tokens: _, ...rest } = plain
      expect(streamed).toMatchObject(rest)
      expect(dripped).toEqual(streamed)
    },
  )
})

describe('a stream that goes wrong costs one request', () => {
  it.each<[string, Reply]>([
    ['is cut before its finish reason (B22)', cutStream(say('half of this is missing'))],
    ['is cut in its JSON', cutJson(say('half of this is missing'))],
    ['is reset before the headers', reset('before')],
    ['is reset in its middle', reset('body')],
    ['is HTML', html(200)],
    [
      'holds an error',
      sse([{ choices: [{ delta: { content: 'x' } }] }, { error: { message: 'no capacity' } }]),
    ],
    ['has no choices', sse([{ choices: [] }])],
    ['is empty', sse([], { done: false })],
  ])('and is retried by Temporal when it %s', async (_what, reply) => {
    const { error, failure, requests } = await failing(reply)
    expect(failure).toMatchObject(RETRIED)
    expect(failure.message).not.toBe('')
    expect(error.status).toBeNull()
    expect(requests).toBe(1)
  })

  it('and is accepted when it ends with [DONE] (B22)', async () => {
    const { read } = await replyTo(cutStream(say('all of it is here'), { done: true }))
    expect(read).toMatchObject({ text: 'all of it is here', finish: 'stop' })
  })

  it('tells no key that an error in its middle echoes', async () => {
    const { server } = await endpoint({
      respond: () => sse([{ error: { message: 'wrong key: my-own-key' } }]),
    })
    const model = openAIModel({ apiKey: 'my-own-key', baseURL: server.url })
    const error = await model.complete(prompt(), signal()).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('wrong key')
    expect(String(error)).not.toContain('my-own-key')
  })
})

describe('a server that falls silent', () => {
  it.each(['before', 'body'] as const)('(%s) is given up, and its socket closed', async (when) => {
    for (const stream of BOTH) {
      const options = { idleTimeoutMs: 60, stream }
      const { server, model } = await endpoint({ respond: () => hang(when) }, options)
      await expect(model.complete(prompt(), signal())).rejects.toMatchObject({
        name: 'ModelError',
        status: null,
        code: 'idle_timeout',
        message: 'The server sent nothing for 0.06 s.',
      })
      await server.waitFor((log) => log[0]?.closedByClient === true)
      expect(server.requests).toHaveLength(1)
    }
  })

  it('in the body of an error is given up as well', async () => {
    const baseURL = await oddServer((_request, response) => {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.write('{"error":')
    })
    const model = openAIModel({ baseURL, idleTimeoutMs: 60 })
    await expect(model.complete(prompt(), signal())).rejects.toMatchObject({ name: 'ModelError' })
  })

  it('is retried by Temporal', async () => {
    expect((await failing(hang('body'), { idleTimeoutMs: 60 })).failure).toMatchObject(RETRIED)
  })

  it('and slow is not silent: a drip that outlasts the time-out succeeds', async () => {
    const answer = say('Slow and steady.', { usage: null })
    const idleTimeoutMs = 1_000
    const dripped = async (stream: boolean) => {
      // Over 50 drops: longer than the time-out in sum, and each far from it on a busy machine too.
      const slow = drip(answer, { everyMs: 20, bytes: stream ? 11 : 4 })
      const begun = Date.now()
      const { read } = await replyTo(slow, { idleTimeoutMs, stream })
      expect(read.text).toBe('Slow and steady.')
      expect(Date.now() - begun).toBeGreaterThan(idleTimeoutMs)
    }
    await Promise.all(BOTH.map(dripped))
  })

  it('has the whole time anew once its headers came', async () => {
    const baseURL = await oddServer((_request, response) => {
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
        setTimeout(() => response.end('{"choices":[{"message":{"content":"hi"}}]}'), 150)
      }, 150)
    })
    const model = openAIModel({ baseURL, idleTimeoutMs: 250 })
    expect((await model.complete(prompt(), signal())).text).toBe('hi')
  })

  it('but keeps sending comments is alive', async () => {
    let timer: NodeJS.Timeout | undefined
    onTestFinished(() => clearInterval(timer))
    const baseURL = await oddServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      let count = 0
      timer = setInterval(() => {
        count++
        if (count < 12) response.write(': thinking\n\n')
        else
          response.end('data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n')
      }, 25)
    })
    const model = openAIModel({ baseURL, idleTimeoutMs: 150 })
    expect((await model.complete(prompt(), signal())).text).toBe('hi')
  })
})

describe('aborting', () => {
  it('in the middle of a stream closes the socket, and is no ModelError of the time-out', async () => {
    const { server, model } = await endpoint({ respond: () => hang('body') })
    const stop = new AbortController()
    const completing = model.complete(prompt(), stop.signal)
    await server.waitFor(1)
    stop.abort()
    await expect(completing).rejects.not.toMatchObject({ code: 'idle_timeout' })
    await server.waitFor((log) => log[0]?.closedByClient === true)
    expect(server.requests).toHaveLength(1)
  })

  it('during a slow drip ends at once', async () => {
    const slow = drip(say('never whole'), { everyMs: 50, bytes: 1 })
    const { server, model } = await endpoint({ respond: () => slow })
    const stop = new AbortController()
    const completing = model.complete(prompt(), stop.signal)
    await server.waitFor(1)
    setTimeout(() => stop.abort(), 60)
    await expect(completing).rejects.toThrow()
    await server.waitFor((log) => log[0]?.closedByClient === true)
  })
})
