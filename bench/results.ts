import type { Effort, Figure, Scenario, Values } from './scenarios/scenario.js'
import { pairedRatios, type Spread, spreadOf } from './statistics.js'

/** One subject's values of one figure. */
interface Measured {
  /** One a round, in order. */
  readonly values: readonly number[]
  readonly spread: Spread
  /** Ratios to the base, round by round; null for the base itself, and where a ratio says nothing. */
  readonly toBase: Spread | null
}

/** One figure of a scenario, by the names of what was compared. */
interface FigureResult extends Figure {
  readonly subjects: Readonly<Record<string, Measured>>
}

/** What a scenario found. */
export interface ScenarioResult {
  readonly name: string
  readonly title: string
  readonly note?: string
  readonly rounds: number
  /** What the others are told as multiples of. */
  readonly base: string
  readonly figures: readonly FigureResult[]
}

/** A target, and whether it was reached. */
export interface TargetResult {
  readonly what: string
  readonly limit: string
  /** NaN when it was not measured. */
  readonly value: number
  readonly verdict: 'reached' | 'missed'
}

/** A scenario that ended in an error. */
export interface FailedScenario {
  readonly name: string
  readonly error: string
}

/** Where it was measured, in general words. */
export interface Machine {
  readonly cores: number
  readonly memoryGB: number
  readonly platform: string
  readonly node: string
  readonly temporalServer: string
  readonly temporalSdk: string
  /** Processes that wanted a core in the minute before the start: more than a few disturb. */
  readonly loadBefore: number
}

/** The document of `--json`. */
export interface Results {
  readonly format: 2
  /** ISO 8601, UTC. */
  readonly date: string
  /** Seconds that all of it took. */
  readonly seconds: number
  readonly perdure: string
  readonly effort: Effort
  readonly machine: Machine
  readonly scenarios: readonly ScenarioResult[]
  readonly failed: readonly FailedScenario[]
  readonly targets: readonly TargetResult[]
}

/** The values of one round, by what was compared and figure. */
export type Round = Readonly<Record<string, Values>>

/** Sums up the rounds of a scenario, against the subject named `base`. */
export function sumUp(
  { name, title, note, figures }: Pick<Scenario, 'name' | 'title' | 'note' | 'figures'>,
  rounds: readonly Round[],
  base: string,
): ScenarioResult {
  const subjects = Object.keys(rounds[0] ?? {})
  return {
    name,
    title,
    ...(note === undefined ? {} : { note }),
    rounds: rounds.length,
    base,
    figures: figures.map((figure) => {
      const valuesOf = (subject: string) =>
        rounds.map((round) => round[subject]?.[figure.name] ?? Number.NaN)
      const measured = (subject: string): Measured => {
        const values = valuesOf(subject)
        const isTold = subject !== base && figure.hasRatio !== false
        const toBase = isTold ? spreadOf(pairedRatios(values, valuesOf(base))) : null
        return { values, spread: spreadOf(values), toBase }
      }
      return { ...figure, subjects: Object.fromEntries(subjects.map((s) => [s, measured(s)])) }
    }),
  }
}
