import { expect, it } from 'vitest'
import { say, startModelServer } from '../../../src/testing/index.js'
import { environmentModel, MissingModelError } from '../../../src/worker/environment-model.js'
import { prompt, signal } from '../models/endpoint.js'

it('without key and base URL there is no model, and the variables are named', () => {
  const none = { apiKey: undefined, baseURL: undefined, model: 'gpt' }
  expect(() => environmentModel(none)).toThrow(MissingModelError)
  expect(() => environmentModel(none)).toThrow(/OPENAI_API_KEY.*OPENAI_BASE_URL/)
})

it('a key is enough', () => {
  const config = { apiKey: 'sk-test', baseURL: undefined, model: undefined }
  expect(environmentModel(config)).toHaveProperty('complete')
})

it('a base URL is enough: local servers need no key', async () => {
  const server = await startModelServer({ script: [say('hi')] })
  try {
    const config = { apiKey: undefined, baseURL: server.url, model: undefined }
    expect((await environmentModel(config).complete(prompt(), signal())).text).toBe('hi')
  } finally {
    await server.close()
  }
})
