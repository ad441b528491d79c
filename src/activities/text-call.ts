import { isObject } from '../contract/json.js'
import type { RawCall } from '../models/model.js'
import { parseJson } from './parse-json.js'

/** Fields that the JSON of a call has, in the forms that models were seen to write. */
const FIELDS = new Set(['type', 'id', 'name', 'function', 'arguments', 'parameters'])

/**
 * The call that a text is, when the whole text is the JSON of one call: bare, in `<tool_call>` tags or in
 * a code fence. Prose that quotes such JSON is none.
 */
export function textCall(text: string): RawCall | null {
  const inner = /^(?:<tool_call>(.*)<\/tool_call>|```(?:json)?\s(.*)```)$/s.exec(text.trim())
  const value = parseJson((inner?.[1] ?? inner?.[2] ?? text).trim())
  if (!isObject(value) || !Object.keys(value).every((field) => FIELDS.has(field))) return null
  const call = isObject(value['function']) ? value['function'] : value
  const { name } = call
  const args = call['arguments'] ?? call['parameters']
  return typeof name === 'string' && args !== undefined ? { name, arguments: args } : null
}
