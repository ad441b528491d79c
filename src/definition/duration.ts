import type { Duration } from '@temporalio/common'
import { msToNumber } from '@temporalio/common/lib/time.js'
import { DefinitionError } from './definition-error.js'

/** Longer than any run; what is above it is a mistake in the unit. */
const MAX_MS = 365 * 24 * 3_600_000

/**
 * Milliseconds of a duration such as `'5s'`, `'10 minutes'` or `1500`.
 *
 * @throws DefinitionError naming `place` when it is no duration between 1 ms and a year
 */
export function milliseconds(value: Duration, place: string): number {
  const ms = parse(value)
  if (ms >= 1 && ms <= MAX_MS) return Math.round(ms)
  throw new DefinitionError(
    `${place}: ${JSON.stringify(value)} is no duration. Give milliseconds above 0 (a year at most), or text such as "5s" or "2 minutes".`,
  )
}

function parse(value: Duration): number {
  try {
    return msToNumber(value)
  } catch {
    return Number.NaN
  }
}
