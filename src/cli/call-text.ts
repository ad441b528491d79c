import { isObject, type JsonValue } from '../contract/json.js'
import { shorten } from '../contract/text.js'

/** Characters of arguments that one line shows. */
const ARGUMENT_CHARS = 160

/** A call on one line, such as `lookup(id: "A1")`; with `full`, however long it is. */
export function callText(name: string, args: JsonValue, full = false): string {
  if (!isObject(args)) return name
  const fields = Object.entries(args).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const text = fields.join(', ')
  return `${name}(${full ? text : shorten(text, ARGUMENT_CHARS)})`
}
