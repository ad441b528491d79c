import { createHash } from 'node:crypto'
import type { ToolCallInput } from '../contract/activities.js'
import { callKey } from '../contract/call-key.js'
import { canonicalJson, type JsonObject } from '../contract/json.js'

/**
 * The key of one call: the same for every attempt and after a reset. The hash of the arguments makes it
 * another when a model that is asked again after a reset calls with others.
 */
export function idempotencyKey(tool: string, input: ToolCallInput): string {
  return callKey(input, callHash(tool, input.args))
}

/** The part of the key that tells what is called. The workflow sandbox has no crypto to make it. */
export function callHash(tool: string, args: JsonObject): string {
  const hash = createHash('sha256').update(canonicalJson([tool, args]))
  return hash.digest('hex').slice(0, 16)
}
