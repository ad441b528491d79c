import type { RunningStack } from '../stacks/running-stack.js'
import type { Scenario } from './scenario.js'

const RUNS = 20
const STEPS = 10

/** Many runs at once: what one worker gets done. */
export const throughput: Scenario = {
  name: 'throughput',
  title: `${RUNS} runs of ${STEPS} steps at once`,
  figures: [
    { name: 'stepsPerSecond', label: 'throughput', unit: 'steps/s' },
    { name: 'cpuMsPerStep', label: "worker's CPU time of a step", unit: 'ms' },
    { name: 'rssBytes', label: "worker's resident memory afterwards", unit: 'MB' },
  ],
  rounds: { full: 12, quick: 1 },
  budget: { full: 150, quick: 15 },
  measure: async (stack: RunningStack) => {
    const before = await stack.usage()
    const runs = await Promise.all(Array.from({ length: RUNS }, () => stack.run(STEPS)))
    const after = await stack.usage()
    const first = Math.min(...runs.map(({ startedAt }) => startedAt))
    const last = Math.max(...runs.map(({ closedAt }) => closedAt))
    const steps = RUNS * STEPS
    return {
      stepsPerSecond: steps / ((last - first) / 1_000),
      cpuMsPerStep: (after.cpuMs - before.cpuMs) / steps,
      rssBytes: after.rssBytes,
    }
  },
}
