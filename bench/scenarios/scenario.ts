import type { RunningStack } from '../stacks/running-stack.js'

/** What is read in each round of a scenario. */
export interface Figure {
  readonly name: string
  readonly label: string
  /** Values are in it, but for kB and MB: those are in bytes, and only told so. */
  readonly unit: 'ms' | 'kB' | 'MB' | 'events' | 'steps/s'
}

/** How long to measure: the whole, or a look whether all works. */
export type Effort = 'full' | 'quick'

/** One thing that is measured. A new one is a file here and a line in `index.ts`. */
export interface Scenario {
  readonly name: string
  readonly title: string
  readonly figures: readonly Figure[]
  readonly rounds: Readonly<Record<Effort, number>>
  /** Seconds after which no further round begins, on a slow machine. */
  readonly budget: Readonly<Record<Effort, number>>
  /** One round of one stack: a value for each figure. */
  measure(stack: RunningStack): Promise<Readonly<Record<string, number>>>
}
