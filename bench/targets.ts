import type { ScenarioResult, TargetResult } from './results.js'

/** What perdure promises. */
interface Target {
  readonly what: string
  readonly scenario: string
  readonly figure: string
  /** A ratio to the floor, or the value itself; the median of the rounds in both cases. */
  readonly of: 'ratio' | 'value'
  readonly is: 'at most' | 'at least'
  readonly limit: number
}

const TARGETS: readonly Target[] = [
  ...[10, 50].map(
    (steps): Target => ({
      what: `step time at ${steps} steps, as a multiple of the floor's`,
      scenario: `steps-${steps}`,
      figure: 'msPerStep',
      of: 'ratio',
      is: 'at most',
      limit: 1.15,
    }),
  ),
  {
    what: "throughput of 20 runs at once, as a multiple of the floor's",
    scenario: 'throughput',
    figure: 'stepsPerSecond',
    of: 'ratio',
    is: 'at least',
    limit: 0.9,
  },
  {
    what: 'history of 50 steps with 1,000-character observations, in bytes',
    scenario: 'steps-50',
    figure: 'historyBytes',
    of: 'value',
    is: 'at most',
    limit: 175_000,
  },
]

/** Holds what was found for perdure against what it promises. */
export function judge(scenarios: readonly ScenarioResult[]): TargetResult[] {
  return TARGETS.map(({ what, scenario, figure, of, is, limit }) => {
    const measured = scenarios
      .find(({ name }) => name === scenario)
      ?.figures.find(({ name }) => name === figure)?.stacks['perdure']
    const spread = of === 'ratio' ? measured?.toFloor : measured?.spread
    const value = spread?.median ?? Number.NaN
    // What was not measured is not reached.
    const isReached = is === 'at most' ? value <= limit : value >= limit
    return { what, limit: `${is} ${limit}`, value, verdict: isReached ? 'reached' : 'missed' }
  })
}
