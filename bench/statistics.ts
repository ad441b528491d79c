/** What is told of a list of measurements. */
export interface Spread {
  readonly median: number
  /** A tenth of the values lies below. */
  readonly p10: number
  /** A tenth of the values lies above. */
  readonly p90: number
  readonly min: number
  readonly max: number
  readonly count: number
}

/** The spread of at least one value; between two of them it is interpolated. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  return {
    median: quantile(sorted, 0.5),
    p10: quantile(sorted, 0.1),
    p90: quantile(sorted, 0.9),
    min: quantile(sorted, 0),
    max: quantile(sorted, 1),
    count: sorted.length,
  }
}

/**
 * Ratios round by round. What slowed the machine down in one round slowed both, so these hold still
 * where the ratio of two medians would drift.
 */
export function pairedRatios(values: readonly number[], base: readonly number[]): number[] {
  if (values.length !== base.length) {
    throw new Error(`${values.length} values cannot be paired with ${base.length}`)
  }
  return values.map((value, round) => value / (base[round] ?? Number.NaN))
}

function quantile(sorted: readonly number[], q: number): number {
  if (sorted.length === 0) throw new Error('there is no spread of no values')
  const place = (sorted.length - 1) * q
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}
