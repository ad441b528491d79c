import { isObject, type JsonValue } from '../contract/json.js'
import { shorten } from '../contract/text.js'

/** Characters of arguments that one line shows. */
const ARGUMENT_CHARS = 160

/** A call on one line, such as `lookup(id: "A1")`. */
export function callText(name: string, args: JsonValue): string {
  if (!isObject(args)) return name
  const fields = Object.entries(args).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  return `${name}(${shorten(fields.join(', '), ARGUMENT_CHARS)})`
}
