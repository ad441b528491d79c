import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openAIModel } from '../../../src/models/openai.js'
import { prompt, signal } from './endpoint.js'

/** A model whose server streams half an answer and `[DONE]` without a reason, and then does `after`. */
async function modelThat(after: (response: ServerResponse) => void) {
  const server = createServer((_, response) => {
    const choices = [{ index: 0, delta: { content: 'Your refund is 1' }, finish_reason: null }]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${JSON.stringify({ choices })}\n\n`)
    response.write('data: [DONE]\n\n', () => after(response))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return openAIModel({ baseURL })
}

test('a connection that breaks right after [DONE] without a reason has cut the reply', async () => {
  const model = await modelThat((response) => response.destroy())
  await expect(model.complete(prompt(), signal())).rejects.toMatchObject({
    name: 'ModelError',
    status: null,
  })
})

test('one that ends in order, or stays open, has not', async () => {
  for (const after of [(response: ServerResponse) => response.end(), () => {}]) {
    const model = await modelThat(after)
    expect(await model.complete(prompt(), signal())).toMatchObject({ text: 'Your refund is 1' })
  }
})
