import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../../src/definition/define-tool.js'
import { DefinitionError } from '../../../src/definition/definition-error.js'

function define(changes: object) {
  return defineTool({
    name: 'lookup_order',
    description: 'Use to find an order.',
    input: z.object({}),
    execute: () => null,
    ...changes,
  })
}

test('the hint after an empty result is kept for the worker, and is no part of the manifest', () => {
  const tool = define({ emptyHint: 'Try search_orders by name.' })
  expect(tool.emptyHint).toBe('Try search_orders by name.')
  expect(JSON.stringify(tool.manifest)).not.toContain('search_orders')
})

test('there is none unless it is given', () => {
  expect(define({}).emptyHint).toBeUndefined()
})

test.each(['', 'x'.repeat(501), 7, null, ['a']])('the hint is not %j', (emptyHint) => {
  expect(() => define({ emptyHint })).toThrow(DefinitionError)
  expect(() => define({ emptyHint })).toThrow('tool "lookup_order": emptyHint: ')
})
