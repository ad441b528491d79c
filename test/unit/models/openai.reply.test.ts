import { describe, expect, it } from 'vitest'
import { openAIModel } from '../../../src/models/openai.js'
import {
  callTool,
  callTools,
  empty,
  hang,
  type Reply,
  refuse,
  say,
} from '../../../src/testing/index.js'
import { endpoint, prompt, signal } from './endpoint.js'

async function replyTo(reply: Reply) {
  const { server, model } = await endpoint({ script: [reply] })
  const read = await model.complete(prompt(), signal())
  expect(server.requests).toHaveLength(1)
  return read
}

describe('a reply', () => {
  it('that is a text is read with its tokens', async () => {
    const usage = { promptTokens: 12, completionTokens: 3 }
    expect(await replyTo(say('hi', { usage }))).toEqual({
      text: 'hi',
      calls: [],
      finish: 'stop',
      tokens: usage,
    })
  })

  it('without usage has unknown tokens, not 0 and not NaN', async () => {
    expect((await replyTo(say('hi', { usage: null }))).tokens).toBeNull()
  })

  it('that calls tools is handed on unread', async () => {
    const calls = [
      { name: 'lookup', args: { id: 'A1' } },
      { name: 'look up', args: 'no json' },
    ]
    expect(await replyTo(callTools(calls, { text: 'One moment.' }))).toMatchObject({
      text: 'One moment.',
      calls: [
        { name: 'lookup', arguments: '{"id":"A1"}' },
        { name: 'look up', arguments: 'no json' },
      ],
      finish: 'stop',
    })
  })

  it.each<[string, Reply, object]>([
    ['a refusal', refuse('I cannot help.'), { text: 'I cannot help.', finish: 'refusal' }],
    ['filtered', empty({ finishReason: 'content_filter' }), { text: '', finish: 'content_filter' }],
    ['cut', say('Once upon', { finishReason: 'length' }), { text: 'Once upon', finish: 'length' }],
    ['cut in a call', callTool('a', '{"b', { finishReason: 'length' }), { finish: 'length' }],
    ['empty', empty(), { text: '', calls: [], finish: 'stop' }],
    ['without a finish reason', say('hi', { finishReason: null }), { text: 'hi', finish: 'stop' }],
  ])('that is %s is read as such', async (_what, reply, read) => {
    expect(await replyTo(reply)).toMatchObject(read)
  })
})

describe('aborting', () => {
  it.each(['before', 'body'] as const)('closes the socket (server hangs: %s)', async (when) => {
    const { server, model } = await endpoint({ respond: () => hang(when) })
    const stop = new AbortController()
    const completing = model.complete(prompt(), stop.signal)
    await server.waitFor(1)
    stop.abort()
    await expect(completing).rejects.toThrow()
    const requests = await server.waitFor((log) => log[0]?.closedByClient === true)
    expect(requests).toHaveLength(1)
  })

  it('before the request means no request', async () => {
    const { server, model } = await endpoint({ script: [] })
    await expect(model.complete(prompt(), AbortSignal.abort())).rejects.toThrow()
    expect(server.requests).toHaveLength(0)
  })
})

describe('the key', () => {
  it('goes along as bearer token', async () => {
    const { server } = await endpoint({ script: [say('hi')], apiKey: 'my-own-key' })
    const model = openAIModel({ apiKey: 'my-own-key', baseURL: server.url })
    expect((await model.complete(prompt(), signal())).text).toBe('hi')
  })

  it('is not needed', async () => {
    const { server } = await endpoint({ script: [say('hi')] })
    const model = openAIModel({ baseURL: `${server.url}/` })
    expect((await model.complete(prompt(), signal())).text).toBe('hi')
  })
})
