import { describe, expect, it } from 'vitest'
import type { RawReply } from '../../../src/models/model.js'
import { ModelError } from '../../../src/models/model-error.js'
import { rejection } from './attempt.js'
import { modelWorker } from './model-worker.js'

const ANSWER: RawReply = { text: 'hi', calls: [], finish: 'stop', tokens: null }

function throwing(error: unknown) {
  return modelWorker(() => Promise.reject(error))
}

describe('the model that is asked', () => {
  it('is that of the definition', async () => {
    const { call, names, prompts } = modelWorker(async () => ANSWER)
    await call()
    expect(names).toEqual(['test-model'])
    expect(prompts[0]?.model).toBe('test-model')
  })

  it('is the fallback that the workflow names, with the same prompt', async () => {
    const { call, names, prompts } = modelWorker(async () => ANSWER)
    await call()
    await call({ model: 'local-qwen' })
    expect(names).toEqual(['test-model', 'local-qwen'])
    expect(prompts[1]).toEqual({ ...prompts[0], model: 'local-qwen' })
  })

  it('that this worker does not have is another worker’s: retried', async () => {
    const worker = modelWorker(async () => ANSWER, {
      modelOf: (name) => {
        throw new ModelError(`This worker has no model "${name}".`, { status: null })
      },
    })
    expect(await rejection(worker.call({ model: 'gone' }))).toMatchObject({
      type: 'ModelUnavailable',
      nonRetryable: false,
      message: 'This worker has no model "gone".',
    })
  })

  it('tells what it had to leave out', async () => {
    const { call } = modelWorker(async () => ({ ...ANSWER, adapted: ['seed'] }))
    expect(await call()).toMatchObject({ text: 'hi', adapted: ['seed'] })
  })
})

describe('an error that ends the turn, not the run', () => {
  it.each([
    ['context_length', { status: 400, code: 'context_length_exceeded' }],
    ['content_filter', { status: 400, code: 'content_filter' }],
  ] as const)('%s is a reply without text', async (finish, facts) => {
    const { call, prompts } = throwing(new ModelError('x', facts))
    expect(await call()).toEqual({ text: '', calls: [], finish, tokens: null, size: 4 })
    expect(prompts).toHaveLength(1)
  })
})

describe('a model of the user that throws', () => {
  it.each([
    [new TypeError('x is not a function'), 'TypeError: x is not a function'],
    ['text', 'text'],
    [undefined, 'undefined'],
    [null, 'null'],
    [7, '7'],
    [Symbol('s'), 'Symbol(s)'],
  ])('%s is an outage: retried', async (error, message) => {
    expect(await rejection(throwing(error).call())).toMatchObject({
      type: 'ModelUnavailable',
      nonRetryable: false,
      message,
    })
  })

  it.each([
    ['an object without a prototype', Object.create(null)],
    ['an object that cannot be shown', { toString: () => ({}) }],
    ['an error without a text', Object.assign(new Error('x'), { message: { a: 1 } })],
  ])('%s is an outage as well', async (_what, error) => {
    expect(await rejection(throwing(error).call())).toMatchObject({
      type: 'ModelUnavailable',
      nonRetryable: false,
    })
  })

  it('at once, and not by a promise, is an outage as well', async () => {
    const { call } = modelWorker(() => {
      throw new Error('at once')
    })
    expect(await rejection(call())).toMatchObject({
      type: 'ModelUnavailable',
      message: 'Error: at once',
    })
  })

  it('has a bounded message: a failure over 2 MB could never be reported', async () => {
    for (const error of [
      new Error('x'.repeat(3_000_000)),
      new ModelError('x'.repeat(3_000_000), { status: 400 }),
    ]) {
      const failure = await rejection(throwing(error).call())
      expect(String(failure).length).toBeLessThan(2_000)
    }
  })

  it('tells no key and no password', async () => {
    const secret =
      'postgres://app:hunter2@db, Authorization: Bearer abcdef123456, sk-live-1234567890'
    for (const error of [new Error(secret), new ModelError(secret, { status: 401 })]) {
      const failure = await rejection(throwing(error).call())
      expect(String(failure)).not.toMatch(/hunter2|abcdef123456|sk-live/)
    }
  })

  it('keeps no cause', async () => {
    const failure = await rejection(throwing(new Error('x', { cause: new Error('key') })).call())
    expect(failure).not.toHaveProperty('cause', expect.anything())
  })
})

describe('a model of the user that answers nonsense', () => {
  it.each([undefined, null, {}, { text: null, calls: [] }, { text: 'x', calls: [null] }])(
    '%j is a typed failure',
    async (reply) => {
      const { call } = modelWorker(async () => reply as unknown as RawReply)
      expect(await rejection(call())).toMatchObject({ type: 'ModelUnavailable' })
    },
  )
})
