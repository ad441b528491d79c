import type { RunningStack } from '../stacks/running-stack.js'
import type { Stack } from '../stacks/stack.js'
import { readPages } from '../workload.js'
import type { Scenario } from './scenario.js'
import { ofStacks } from './stack-subjects.js'

/** One run alone: what a step costs, and what its history holds. */
export function stepTime(
  steps: number,
  stacks: readonly Stack[],
  { rounds, budget }: Pick<Scenario, 'rounds' | 'budget'>,
): Scenario {
  return {
    name: `steps-${steps}`,
    title: `One run of ${steps} steps`,
    figures: [
      { name: 'msPerStep', label: 'time of a step', unit: 'ms' },
      { name: 'cpuMsPerStep', label: "worker's CPU time of a step", unit: 'ms' },
      { name: 'historyBytes', label: 'history', unit: 'kB' },
      { name: 'historyEvents', label: 'history', unit: 'events' },
    ],
    rounds,
    budget,
    subjects: ofStacks(stacks, async (stack: RunningStack) => {
      const before = await stack.usage()
      const { startedAt, closedAt, historyBytes, historyEvents } = await stack.run(readPages(steps))
      const after = await stack.usage()
      return {
        msPerStep: (closedAt - startedAt) / steps,
        cpuMsPerStep: (after.cpuMs - before.cpuMs) / steps,
        historyBytes,
        historyEvents,
      }
    }),
  }
}
