import type { Effort, Figure, Scenario } from './scenarios/scenario.js'
import { pairedRatios, type Spread, spreadOf } from './statistics.js'

/** One stack's values of one figure. */
interface Measured {
  /** One a round, in order. */
  readonly values: readonly number[]
  readonly spread: Spread
  /** Ratios to the floor, round by round; null for the floor itself. */
  readonly toFloor: Spread | null
}

/** One figure of a scenario, by the names of the stacks. */
interface FigureResult extends Figure {
  readonly stacks: Readonly<Record<string, Measured>>
}

/** What a scenario found. */
export interface ScenarioResult {
  readonly name: string
  readonly title: string
  readonly rounds: number
  readonly figures: readonly FigureResult[]
}

/** A target, and whether it was reached. */
export interface TargetResult {
  readonly what: string
  readonly limit: string
  readonly value: number
  readonly verdict: 'reached' | 'missed'
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
  readonly format: 1
  /** ISO 8601, UTC. */
  readonly date: string
  readonly perdure: string
  readonly effort: Effort
  readonly machine: Machine
  readonly stacks: readonly { readonly name: string; readonly what: string }[]
  readonly scenarios: readonly ScenarioResult[]
  readonly targets: readonly TargetResult[]
}

/** The values of all stacks in one round, by stack and figure. */
export type Round = Readonly<Record<string, Readonly<Record<string, number>>>>

/** Sums up the rounds of a scenario, against the stack named `floor`. */
export function sumUp(
  { name, title, figures }: Pick<Scenario, 'name' | 'title' | 'figures'>,
  rounds: readonly Round[],
  floor: string,
): ScenarioResult {
  const stacks = Object.keys(rounds[0] ?? {})
  return {
    name,
    title,
    rounds: rounds.length,
    figures: figures.map((figure) => {
      const valuesOf = (stack: string) =>
        rounds.map((round) => round[stack]?.[figure.name] ?? Number.NaN)
      const base = valuesOf(floor)
      const measured = (stack: string): Measured => {
        const values = valuesOf(stack)
        const toFloor = stack === floor ? null : spreadOf(pairedRatios(values, base))
        return { values, spread: spreadOf(values), toFloor }
      }
      return { ...figure, stacks: Object.fromEntries(stacks.map((s) => [s, measured(s)])) }
    }),
  }
}
