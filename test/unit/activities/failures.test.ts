import { describe, expect, it } from 'vitest'
import { modelFailure } from '../../../src/activities/failures.js'
import { ModelError } from '../../../src/models/model-error.js'

describe('a failed model call', () => {
  it.each([408, 409, 425, 429, 500, 502, 503, 504, 529])('with status %i is retried', (status) => {
    expect(modelFailure(new ModelError('x', { status }))).toMatchObject({
      type: 'ModelUnavailable',
      nonRetryable: false,
      message: `HTTP ${status}: x`,
    })
  })

  it.each([400, 401, 402, 403, 404, 405, 413, 422])('with status %i is final', (status) => {
    expect(modelFailure(new ModelError('x', { status }))).toMatchObject({
      type: 'ModelRejected',
      nonRetryable: true,
      message: `HTTP ${status}: x`,
    })
  })

  it('without a status is retried', () => {
    expect(modelFailure(new ModelError('reset', { status: null }))).toMatchObject({
      type: 'ModelUnavailable',
      nonRetryable: false,
      message: 'reset',
    })
  })

  it.each([429, 403, null])('for lack of money is final (status %s)', (status) => {
    const error = new ModelError('pay', { status, code: 'insufficient_quota' })
    expect(modelFailure(error)).toMatchObject({ type: 'ModelRejected', nonRetryable: true })
  })

  it('by a model of the user that throws anything is retried', () => {
    expect(modelFailure(new TypeError('x'))).toMatchObject({
      type: 'ModelUnavailable',
      nonRetryable: false,
      message: 'TypeError: x',
    })
    expect(modelFailure('text')).toMatchObject({ type: 'ModelUnavailable', message: 'text' })
  })

  it('keeps no cause', () => {
    const error = new ModelError('x', { status: 500, cause: new Error('key') })
    expect(modelFailure(error).cause).toBeUndefined()
    expect(modelFailure(new Error('x', { cause: new Error('key') })).cause).toBeUndefined()
  })
})
