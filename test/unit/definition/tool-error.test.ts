import { expect, test } from 'vitest'
import { ToolError } from '../../../src/definition/tool-error.js'

test('a tool error is not retried unless it vouches that nothing happened', () => {
  expect(new ToolError('no such order').retryable).toBe(false)
  expect(new ToolError('locked', { retryable: true }).retryable).toBe(true)
})

test('a tool error carries its name, its message and its cause', () => {
  const cause = new Error('404')
  const error = new ToolError('no such order', { cause })
  expect(error).toBeInstanceOf(Error)
  expect({ name: error.name, message: error.message, cause: error.cause }).toEqual({
    name: 'ToolError',
    message: 'no such order',
    cause,
  })
})
