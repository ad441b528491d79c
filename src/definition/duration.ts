import type { Duration } from '@temporalio/common'
import { msToNumber } from '@temporalio/common/lib/time.js'
import { DefinitionError } from './definition-error.js'

/**
 * Milliseconds of a duration such as `'5s'`, `'10 minutes'` or `1500`.
 *
 * @throws DefinitionError naming `place` when it is not a positive duration
 */
export function milliseconds(value: Duration, place: string): number {
  const ms = parse(value)
  if (Number.isFinite(ms) && ms >= 1) return Math.round(ms)
  throw new DefinitionError(
    `${place}: ${JSON.stringify(value)} is no duration. Give milliseconds above 0, or text such as "5s" or "2 minutes".`,
  )
}

function parse(value: Duration): number {
  try {
    return msToNumber(value)
  } catch {
    return Number.NaN
  }
}
