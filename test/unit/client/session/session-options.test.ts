import { expect, test } from 'vitest'
import { InvalidInputError } from '../../../../src/client/errors/invalid-input-error.js'
import { checkSession } from '../../../../src/client/session/session-options.js'

test('a session has an id of its own unless it is told', () => {
  expect(checkSession('a', { id: 'customer-7' })).toEqual({
    agent: 'a',
    id: 'customer-7',
    context: undefined,
    settings: {},
  })
  expect(checkSession({ name: 'a' }, {}).id).toMatch(/^a-[0-9a-f-]{36}$/)
})

test('times and limits become data', () => {
  const { settings, context } = checkSession('a', {
    idleTimeout: '2 hours',
    maxQueued: 3,
    context: { customerId: 'c7' },
  })
  expect(settings).toEqual({ idleMs: 7_200_000, maxQueued: 3 })
  expect(context).toEqual({ customerId: 'c7' })
})

test.each([
  ['', {}, 'name of an agent'],
  ['a', { id: ' ' }, 'The id'],
  ['a', { idleTimeout: 'soon' as '1s' }, 'idleTimeout'],
  ['a', { idleTimeout: 0 }, 'idleTimeout'],
  ['a', { maxQueued: 0 }, 'maxQueued'],
  ['a', { context: { text: 'x'.repeat(20_000) } }, 'context'],
])('%s with %o is refused, and the error names what is wrong', (agent, options, text) => {
  const check = () => checkSession(agent, options)
  expect(check).toThrow(InvalidInputError)
  expect(check).toThrow(text)
})
