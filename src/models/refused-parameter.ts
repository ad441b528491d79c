import { isObject, type JsonObject } from '../contract/json.js'
import type { ModelError } from './model-error.js'

/** Parameters that a request can do without, or under another name. */
const ADAPTABLE = [
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'seed',
  'stop',
  'parallel_tool_calls',
  'tool_choice',
  'stream_options',
  'stream',
  'strict',
] as const

/** How servers say that they do not take a parameter. */
const COMPLAINT =
  /unsupported|not support|unrecogni[sz]ed|unknown|unexpected|extra (inputs|fields)|not permitted|not allowed|does not exist|only the default/i

/** How they say that they take it, with another value: that is for the caller to mend. */
const BAD_VALUE =
  /invalid_value|_(above|below)_|too (large|small|long|high|low)|at (most|least)|must be/i

/**
 * The parameter of a request that a server refused, if the request can be adapted: by the field that the
 * error names, or by the name in its message. Null when the refusal means something else.
 */
export function refusedParameter(error: ModelError, body: JsonObject): string | null {
  if (error.status !== 400 && error.status !== 422) return null
  const sent = ADAPTABLE.filter((name) => isSent(name, body))
  const complains = COMPLAINT.test(error.message)
  if (!complains && BAD_VALUE.test(`${error.code} ${error.message}`)) return null
  // Such as `temperature`, `body.temperature` or `tools[0].function.strict`.
  const path = typeof error.param === 'string' ? error.param.split('.') : []
  if (path.join('') !== '') return sent.find((name) => path.includes(name)) ?? null
  if (!complains) return null
  return sent.find((name) => new RegExp(`\\b${name}\\b`).test(error.message)) ?? null
}

function isSent(name: string, body: JsonObject): boolean {
  if (name !== 'strict') return body[name] !== undefined
  // Not anywhere in the tools: a schema may hold such a value.
  const { tools } = body
  return (
    Array.isArray(tools) &&
    tools.some(
      (tool) => isObject(tool) && isObject(tool['function']) && tool['function']['strict'] === true,
    )
  )
}
