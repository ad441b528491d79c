import { describe, expect, it } from 'vitest'
import { errorInBody } from '../../../src/models/error-in-body.js'

describe('a body with status 200', () => {
  it.each<[unknown, string, string]>([
    [
      { error: { message: 'no', code: 'insufficient_quota', type: 't' } },
      'no',
      'insufficient_quota',
    ],
    [{ error: { message: 'no', code: null, type: 'server_error' } }, 'no', 'server_error'],
    [{ error: { message: 'no', code: 500 } }, 'no', 'error_in_body'],
    [{ error: { detail: 'no' } }, '{"detail":"no"}', 'error_in_body'],
    [{ error: 'no' }, 'no', 'error_in_body'],
    [{ error: true }, 'true', 'error_in_body'],
    [{ error: { message: { text: 'no' } } }, '{"message":{"text":"no"}}', 'error_in_body'],
    [{ error: { message: 'no' }, choices: [] }, 'no', 'error_in_body'],
    // vLLM's older form.
    [
      { object: 'error', message: 'no', type: 'BadRequestError', code: 400 },
      'no',
      'BadRequestError',
    ],
  ])('%j is an error without a status', (body, message, code) => {
    expect(errorInBody(body)).toMatchObject({ name: 'ModelError', status: null, message, code })
  })

  it.each([
    undefined,
    null,
    'error',
    7,
    [],
    [{ error: 'x' }],
    {},
    { error: null },
    { error: undefined },
    { error: false },
    { error: '' },
    { choices: [{ message: { content: 'error' } }] },
    { object: 'chat.completion', message: 'hi' },
  ])('%j is none', (body) => {
    expect(errorInBody(body)).toBeNull()
  })
})
