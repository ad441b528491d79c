import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/contract/json.js'
import { strictViolations } from './strict-checker.js'

const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const a = { type: 'string' }

test('the checker takes what OpenAI documents', () => {
  const unit = { type: ['string', 'null'], enum: ['F', 'C', null], description: 'Unit' }
  const list = { type: 'array', items: { $ref: '#/$defs/node' } }
  const root = { ...object({ a, unit, list }), $defs: { node: object({ list }) } }
  expect(strictViolations(root)).toEqual([])
})

test.each<[string, JsonObject]>([
  ['#: the root is no object', { anyOf: [object({ a })] }],
  ['#: one of type, anyOf, $ref is wanted', { ...object({ a }), anyOf: [object({ a })] }],
  ['#: required must name every property', { ...object({ a }), required: [] }],
  ['#: additionalProperties must be false', { type: 'object', properties: {}, required: [] }],
  ['#/f: oneOf is not permitted', object({ f: { ...a, oneOf: [a] } })],
  ['#/f: default is not permitted', object({ f: { ...a, default: 'x' } })],
  ['#/f: minLength is not permitted', object({ f: { ...a, minLength: 1 } })],
  ['#/f: format uri', object({ f: { ...a, format: 'uri' } })],
  ['#/f: pattern with (?!', object({ f: { ...a, pattern: '^(?!x)' } })],
  ['#/f: one of type', object({ f: {} })],
  ['#/f: one of type', object({ f: { type: ['string', 'number'] } })],
  ['#/f/items: one of type', object({ f: { type: 'array', items: {} } })],
  ['#/f: description is not permitted', object({ f: { $ref: '#/$defs/x', description: 'x' } })],
  ['#/f: no #/definitions/x', object({ f: { $ref: '#/definitions/x' } })],
  ['#/f: nullable', object({ f: { type: ['string', 'null'], enum: ['x'] } })],
  ['#/f: enum value x', object({ f: { type: 'number', enum: ['x'] } })],
  ['#/f: identical first keys a', object({ f: { anyOf: [object({ a }), object({ a })] } })],
])('the checker says %s', (message, schema) => {
  expect(strictViolations(schema).join('\n')).toContain(message)
})
