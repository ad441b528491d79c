import type { ScenarioResult, TargetResult } from './results.js'
import { perdure, perdureEstimate, perdureLocal, perdureMemory } from './stacks/index.js'

/** What perdure promises. */
interface Target {
  readonly what: string
  readonly scenario: string
  readonly figure: string
  /** Whose figure it is. @default 'perdure' */
  readonly subject?: string
  /** A ratio to the scenario's base, or the value itself; the median of the rounds in both cases. */
  readonly of: 'ratio' | 'value'
  readonly is: 'at most' | 'at least'
  readonly limit: number
}

const local = perdureLocal.name
const memory = perdureMemory.name

const SHORT: readonly Target[] = [
  ...[10, 50, 200].map((steps) =>
    toFloor(`step time at ${steps} steps`, `steps-${steps}`, {
      figure: 'msPerStep',
      limit: 1.1,
    }),
  ),
  ...[10, 200].map((steps) =>
    toFloor(`worker's CPU time of a step at ${steps} steps`, `steps-${steps}`, {
      figure: 'cpuMsPerStep',
      limit: 1.15,
    }),
  ),
  toFloor('throughput of 20 runs at once', 'throughput-20', {
    figure: 'stepsPerSecond',
    is: 'at least',
    limit: 0.9,
  }),
  toFloor('step time at 50 steps with a local tool', 'steps-50', {
    subject: local,
    figure: 'msPerStep',
    limit: 0.65,
  }),
  toFloor('throughput of 20 runs at once with a local tool', 'throughput-20', {
    subject: local,
    figure: 'stepsPerSecond',
    is: 'at least',
    limit: 1.45,
  }),
  {
    what: 'history of 50 steps with a local tool, in bytes',
    scenario: 'history',
    subject: local,
    figure: 'short',
    of: 'value',
    is: 'at most',
    limit: 125_000,
  },
  {
    what: 'history that a further step adds, in bytes',
    scenario: 'history',
    figure: 'marginal',
    of: 'value',
    is: 'at most',
    limit: 3_300,
  },
  ...['default', 'summary alone', 'scratchpad alone', '`maxTokens: 800`'].map(
    (subject): Target => ({
      what: `needed facts in the last prompt, of 3: ${subject}`,
      scenario: 'memory-policies',
      subject,
      figure: 'needed',
      of: 'value',
      is: 'at least',
      limit: 3,
    }),
  ),
  {
    what: 'repeated calls that did not run, of 3',
    scenario: 'tool-cache',
    subject: "`cache: 'run'`",
    figure: 'saved',
    of: 'value',
    is: 'at least',
    limit: 3,
  },
  {
    what: 'time of independent calls, as a multiple of one after the other',
    scenario: 'parallel-calls',
    subject: 'default',
    figure: 'ms',
    of: 'ratio',
    is: 'at most',
    limit: 0.56,
  },
]

const LONG: readonly Target[] = [
  {
    what: 'start of `perdure worker` until it polls, in ms',
    scenario: 'worker-start',
    figure: 'ms',
    of: 'value',
    is: 'at most',
    limit: 1_000,
  },
  toFloor('resident memory of a worker', 'resident-memory', { figure: 'rssBytes', limit: 1.05 }),
  toFloor("resident memory with `tokenizer: 'estimate'`", 'resident-memory', {
    subject: perdureEstimate.name,
    figure: 'rssBytes',
    limit: 0.85,
  }),
  toFloor('throughput of 500 runs at once', 'throughput-500', {
    figure: 'stepsPerSecond',
    is: 'at least',
    limit: 0.92,
  }),
  {
    what: 'steps done of 1,000',
    scenario: 'long-run',
    subject: memory,
    figure: 'steps',
    of: 'value',
    is: 'at least',
    limit: 1_000,
  },
  {
    what: 'history of a step over 1,000 steps, as a multiple of the marginal one',
    scenario: 'long-run',
    subject: memory,
    figure: 'toMarginal',
    of: 'value',
    is: 'at most',
    limit: 1.25,
  },
  {
    what: 'steps done of 10,000',
    scenario: 'endless-run',
    subject: memory,
    figure: 'steps',
    of: 'value',
    is: 'at least',
    limit: 10_000,
  },
  {
    what: 'resident memory at step 10,000, as a multiple of that at 1,000',
    scenario: 'endless-run',
    subject: memory,
    figure: 'rssGrowth',
    of: 'value',
    is: 'at most',
    limit: 1.2,
  },
  {
    what: 'largest prompt of 10,000 steps, in tokens',
    scenario: 'endless-run',
    subject: memory,
    figure: 'largestPrompt',
    of: 'value',
    is: 'at most',
    // 3,000 of older messages and those that are kept beside them: the goal, a summary, 6 of up to 270.
    limit: 5_000,
  },
]

function toFloor(
  what: string,
  scenario: string,
  target: Pick<Target, 'figure' | 'limit'> & Partial<Pick<Target, 'subject' | 'is'>>,
): Target {
  return {
    is: 'at most',
    ...target,
    what: `${what}, as a multiple of the floor's`,
    scenario,
    of: 'ratio',
  }
}

/** Holds what was found against what perdure promises of these scenarios. */
export function judge(
  scenarios: readonly ScenarioResult[],
  names: ReadonlySet<string>,
): TargetResult[] {
  return [...SHORT, ...LONG]
    .filter(({ scenario }) => names.has(scenario))
    .map(({ what, scenario, figure, subject = perdure.name, of, is, limit }) => {
      const measured = scenarios
        .find(({ name }) => name === scenario)
        ?.figures.find(({ name }) => name === figure)?.subjects[subject]
      const spread = of === 'ratio' ? measured?.toBase : measured?.spread
      const value = spread?.median ?? Number.NaN
      // What was not measured is not reached.
      const isReached = is === 'at most' ? value <= limit : value >= limit
      return { what, limit: `${is} ${limit}`, value, verdict: isReached ? 'reached' : 'missed' }
    })
}
