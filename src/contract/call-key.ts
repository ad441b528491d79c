import type { ToolCallInput } from './activities.js'

/**
 * The idempotency key of a call: its place in the chain, and 16 hexadecimal digits of sha256 over tool and
 * canonical arguments.
 */
export function callKey(
  { origin, turn, step, call }: Pick<ToolCallInput, 'origin' | 'turn' | 'step' | 'call'>,
  hash: string,
): string {
  return `${origin}/${turn}.${step}.${call}/${hash}`
}
