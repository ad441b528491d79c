import { createHash } from 'node:crypto'
import type { ToolCallInput } from '../contract/activities.js'
import { canonicalJson } from '../contract/json.js'

/**
 * The key of one call: the same for every attempt and after a reset. The hash of the arguments makes it
 * another when a model that is asked again after a reset calls with others.
 */
export function idempotencyKey(tool: string, input: ToolCallInput): string {
  const { origin, turn, step, call, args } = input
  const hash = createHash('sha256')
    .update(canonicalJson([tool, args]))
    .digest('hex')
  return `${origin}/${turn}.${step}.${call}/${hash.slice(0, 16)}`
}
