import type { JsonObject } from '../contract/json.js'
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
  'stream_options',
  'stream',
  'strict',
] as const

/** How servers say that they do not take a parameter. */
const COMPLAINT =
  /unsupported|not support|unrecogni[sz]ed|unknown|unexpected|extra (inputs|fields)|not permitted|not allowed|does not exist|only the default/i

/**
 * The parameter of a request that a server refused, if the request can be adapted: by the field that the
 * error names, or by the name in its message. Null when the refusal means something else.
 */
export function refusedParameter(error: ModelError, body: JsonObject): string | null {
  if (error.status !== 400 && error.status !== 422) return null
  const sent = ADAPTABLE.filter((name) => isSent(name, body))
  // Such as `temperature`, `body.temperature` or `tools[0].function.strict`.
  const named = error.param?.split('.').at(-1)
  if (named !== undefined && named !== '') return sent.find((name) => name === named) ?? null
  if (!COMPLAINT.test(error.message)) return null
  return sent.find((name) => new RegExp(`\\b${name}\\b`).test(error.message)) ?? null
}

function isSent(name: string, body: JsonObject): boolean {
  return name === 'strict'
    ? JSON.stringify(body['tools'] ?? []).includes('"strict":true')
    : body[name] !== undefined
}
