import type { RunningStack } from '../stacks/running-stack.js'
import type { Stack } from '../stacks/stack.js'
import { readPages } from '../workload.js'
import type { Scenario } from './scenario.js'
import { ofStacks } from './stack-subjects.js'

const STEPS = 10

/** Many runs at once: what one worker gets done. */
export function throughput(
  runs: Scenario['rounds'],
  stacks: readonly Stack[],
  { rounds, budget }: Pick<Scenario, 'rounds' | 'budget'>,
): Scenario {
  return {
    name: `throughput-${runs.full}`,
    title: `${runs.full} runs of ${STEPS} steps at once`,
    note: 'From the start of the first to the close of the last; the client that starts them shares the machine.',
    figures: [
      { name: 'stepsPerSecond', label: 'throughput', unit: 'steps/s' },
      { name: 'cpuMsPerStep', label: "worker's CPU time of a step", unit: 'ms' },
    ],
    rounds,
    budget,
    subjects: async (stage) =>
      await ofStacks(stacks, (stack) => measure(stack, runs[stage.effort]))(stage),
  }
}

async function measure(stack: RunningStack, count: number) {
  const before = await stack.usage()
  const all = Array.from({ length: count }, () => stack.run(readPages(STEPS)))
  const runs = await Promise.all(all)
  const after = await stack.usage()
  const first = Math.min(...runs.map(({ startedAt }) => startedAt))
  const last = Math.max(...runs.map(({ closedAt }) => closedAt))
  const steps = count * STEPS
  return {
    stepsPerSecond: steps / ((last - first) / 1_000),
    cpuMsPerStep: (after.cpuMs - before.cpuMs) / steps,
  }
}
