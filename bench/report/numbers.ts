import type { Figure } from '../scenarios/scenario.js'
import type { Spread } from '../statistics.js'

/** A value in its unit, such as `38.1` for milliseconds or `153.2` for bytes told in kB. */
export function inUnit(value: number, unit: Figure['unit']): string {
  switch (unit) {
    case 'ms':
    case 'steps/s':
      return value.toFixed(1)
    case 'ratio':
      return value.toFixed(2)
    case 's':
    case 'events':
    case 'steps':
    case 'tokens':
    case '':
      return value.toFixed(0)
    case 'kB':
      return (value / 1_000).toFixed(1)
    case 'MB':
      return (value / 1_000_000).toFixed(0)
  }
}

/** The median and, where values differ, the range from the 10th to the 90th percentile. */
export function spreadText({ median, p10, p90 }: Spread, text: (value: number) => string): string {
  const [middle, low, high] = [median, p10, p90].map(text)
  return low === high ? `${middle}` : `${middle} (${low}–${high})`
}

/** A ratio to the base. */
export function ratioText(spread: Spread): string {
  return spreadText(spread, (value) => value.toFixed(2))
}
