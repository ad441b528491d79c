import type { Scenario } from './scenario.js'
import { stepTime } from './step-time.js'
import { throughput } from './throughput.js'

/** In the order in which they are measured and told. */
export const SCENARIOS: readonly Scenario[] = [
  stepTime(10, { rounds: { full: 40, quick: 2 }, budget: { full: 90, quick: 10 } }),
  stepTime(50, { rounds: { full: 20, quick: 1 }, budget: { full: 150, quick: 15 } }),
  throughput,
]
