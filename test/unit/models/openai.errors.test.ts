import { describe, expect, it } from 'vitest'
import { ModelError } from '../../../src/models/model-error.js'
import { openAIModel } from '../../../src/models/openai.js'
import { cutJson, html, type Reply, raw, reset, say, status } from '../../../src/testing/index.js'
import { endpoint, failing, KEY, prompt, signal } from './endpoint.js'

const RETRIED = { type: 'ModelUnavailable', nonRetryable: false }
const FINAL = { type: 'ModelRejected', nonRetryable: true }

describe('every failure costs exactly one request', () => {
  it.each([408, 409, 429, 500, 502, 503, 504, 529])('%i is retried by Temporal', async (code) => {
    const { error, failure, requests } = await failing(status(code))
    expect(failure).toMatchObject(RETRIED)
    expect(failure.message).toContain(`HTTP ${code}: `)
    expect(failure.message).toContain(`told to answer ${code}`)
    expect(error.status).toBe(code)
    expect(requests).toBe(1)
  })

  it.each([400, 401, 403, 404, 422])(
    '%i is final, with the message of the provider',
    async (code) => {
      const { failure, requests } = await failing(status(code))
      expect(failure).toMatchObject(FINAL)
      expect(failure.message).toContain(`told to answer ${code}`)
      expect(requests).toBe(1)
    },
  )

  it('429 for lack of money is final', async () => {
    const body = { error: { message: 'You exceeded your quota.', code: 'insufficient_quota' } }
    const { error, failure, requests } = await failing(status(429, { body }))
    expect(failure).toMatchObject(FINAL)
    expect(error.code).toBe('insufficient_quota')
    expect(requests).toBe(1)
  })

  it.each<[string, Reply]>([
    ['a reset before the headers', reset('before')],
    ['a reset in the body', reset('body')],
    ['cut JSON', cutJson(say('half of this is missing'))],
    ['HTML with status 200', html(200)],
    [
      'HTML in the name of JSON',
      raw('<h1>hi</h1>', { headers: { 'content-type': 'application/json' } }),
    ],
    ['an error body with status 200', raw({ error: { message: 'no capacity' } })],
    ['no choices', raw({ id: 'x', choices: [] })],
    ['a choice without a message', raw({ choices: [{ finish_reason: 'stop' }] })],
    ['nothing', raw('', { headers: { 'content-type': 'application/json' } })],
    ['null', raw(null)],
  ])('%s is retried by Temporal', async (_what, reply) => {
    const { error, failure, requests } = await failing(reply)
    expect(failure).toMatchObject(RETRIED)
    expect(failure.message).not.toBe('')
    expect(error.status).toBeNull()
    expect(requests).toBe(1)
  })

  it('a reset in the body says more than "terminated"', async () => {
    expect((await failing(reset('body'))).failure.message).toMatch(/closed|reset|ECONNRESET/)
  })

  it('HTML of a proxy is known by its status', async () => {
    expect((await failing(html(502))).failure).toMatchObject(RETRIED)
    expect((await failing(html(404))).failure).toMatchObject(FINAL)
  })

  it('a server that is not there is retried by Temporal', async () => {
    const { server, model } = await endpoint({ script: [] })
    await server.close()
    await expect(model.complete(prompt(), signal())).rejects.toMatchObject({
      name: 'ModelError',
      status: null,
      message: expect.stringMatching(/ECONNREFUSED|fetch failed/),
    })
  })
})

describe('what is known of an error', () => {
  it('is status, code and headers', async () => {
    const body = { error: { message: 'too long', code: 'context_length_exceeded' } }
    const { error } = await failing(status(400, { body, headers: { 'retry-after': '2' } }))
    expect(error).toMatchObject({ status: 400, code: 'context_length_exceeded' })
    expect(error.headers.get('retry-after')).toBe('2')
  })

  it('is bounded, though the server sends a book', async () => {
    const body = { error: { message: 'x'.repeat(100_000) } }
    const { failure } = await failing(status(400, { body }))
    expect(failure.message.length).toBeLessThan(600)
    const page = await failing(raw(`<p>${'x'.repeat(100_000)}`))
    expect(page.failure.message.length).toBeLessThan(600)
  })
})

describe('no key and no password is told', () => {
  const echo = (key: string) => ({ error: { message: `Incorrect API key: Bearer ${key}` } })

  it('by a 401 that echoes the key', async () => {
    const { error, failure } = await failing(status(401, { body: echo(KEY) }))
    expect(failure.message).toContain('Incorrect API key')
    expect(`${failure.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(KEY)
  })

  it('by an error with status 200 that echoes a key of any form', async () => {
    const { server } = await endpoint({
      respond: () => raw({ error: { message: 'key my-own-key' } }),
    })
    const model = openAIModel({ apiKey: 'my-own-key', baseURL: server.url })
    const error = await model.complete(prompt(), signal()).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ModelError)
    expect(String(error)).not.toContain('my-own-key')
  })

  it('by a message that is cut in the middle of the key', async () => {
    const key = 'my-own-key-with-many-characters'
    const filler = 'x'.repeat(480)
    const body = { error: { message: `${filler} ${key}` } }
    const { server } = await endpoint({ respond: () => status(401, { body }) })
    const model = openAIModel({ apiKey: key, baseURL: server.url })
    const error = await model.complete(prompt(), signal()).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain(filler)
    expect(String(error)).not.toContain('my-own')
  })

  it('by a base URL with a password that cannot be reached', async () => {
    const { server } = await endpoint({ script: [] })
    const baseURL = server.url.replace('://', '://user:hunter2@')
    await server.close()
    const model = openAIModel({ baseURL })
    const error = await model.complete(prompt(), signal()).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ModelError)
    expect(String(error)).not.toContain('hunter2')
  })
})
