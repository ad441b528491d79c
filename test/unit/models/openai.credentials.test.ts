import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openAIModel } from '../../../src/models/openai.js'
import { prompt, signal } from './endpoint.js'

/** A server that keeps the Authorization headers that came, and says them as the model's answer. */
async function echoServer(): Promise<{ readonly host: string; readonly seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    const content = request.headers.authorization ?? 'none'
    seen.push(content)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen }
}

test('a user and password in the base URL are sent as basic authentication', async () => {
  const { host, seen } = await echoServer()
  const model = openAIModel({ baseURL: `http://user:p%40ss@${host}` })
  const { text } = await model.complete(prompt(), signal())
  expect(seen).toEqual([`Basic ${Buffer.from('user:p@ss').toString('base64')}`])
  // What the server says of it is masked.
  expect(text).toBe('Basic [redacted]')
})

test('a key is sent as bearer token', async () => {
  const { host, seen } = await echoServer()
  const model = openAIModel({ apiKey: 'my-key', baseURL: `http://${host}` })
  expect(await model.complete(prompt(), signal())).toMatchObject({ text: 'Bearer [redacted]' })
  expect(seen).toEqual(['Bearer my-key'])
})

test('a key beside credentials, and a base URL that is none, are refused at once', () => {
  const both = { apiKey: 'my-key', baseURL: 'http://user:hunter2@127.0.0.1/v1' }
  expect(() => openAIModel(both)).toThrow('give one')
  expect(() => openAIModel(both)).not.toThrow('hunter2')
  expect(() => openAIModel({ baseURL: 'no url' })).toThrow('http://127.0.0.1:8080/v1')
})
