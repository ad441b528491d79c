import type { Stage } from '../stage.js'

/** What is read in each round of a scenario. */
export interface Figure {
  readonly name: string
  readonly label: string
  /** Values are in it, but for kB and MB: those are in bytes, and only told so. */
  readonly unit: 'ms' | 's' | 'kB' | 'MB' | 'events' | 'steps/s' | 'steps' | 'tokens' | 'ratio' | ''
  /** False: as a multiple of the base it would say nothing. @default true */
  readonly hasRatio?: false
}

/** How long to measure: the whole, or a look whether all works. */
export type Effort = 'full' | 'quick'

/** The values of one round, by the names of the figures; NaN where a figure is none of this subject's. */
export type Values = Readonly<Record<string, number>>

/** One of the things that a scenario compares. */
export interface Subject {
  readonly name: string
  measure(): Promise<Values>
}

/** One thing that is measured. A new one is a file here and a line in `index.ts`. */
export interface Scenario {
  readonly name: string
  readonly title: string
  /** Said before its table. */
  readonly note?: string
  readonly figures: readonly Figure[]
  readonly rounds: Readonly<Record<Effort, number>>
  /** Seconds after which no further round begins, on a slow machine. */
  readonly budget: Readonly<Record<Effort, number>>
  /** Starts what is compared; the first one is what the others are told as multiples of. */
  subjects(stage: Stage): Promise<readonly Subject[]>
}
