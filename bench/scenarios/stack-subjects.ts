import type { RunningStack } from '../stacks/running-stack.js'
import type { Stack } from '../stacks/stack.js'
import type { Scenario, Subject, Values } from './scenario.js'

/** Stacks as what a scenario compares, their workers warm; peers where there are any. */
export function ofStacks(
  stacks: readonly Stack[],
  measure: (stack: RunningStack) => Promise<Values>,
): Scenario['subjects'] {
  return async (stage) => {
    const subjects: Subject[] = []
    for (const stack of stacks) {
      if (stack.isPeer && !stage.hasPeers) continue
      const running = await stage.running(stack)
      subjects.push({ name: stack.name, measure: () => measure(running) })
    }
    return subjects
  }
}
