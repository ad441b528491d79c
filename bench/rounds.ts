import type { Round } from './results.js'
import type { Effort, Scenario } from './scenarios/scenario.js'
import type { RunningStack } from './stacks/running-stack.js'

/** Rounds that a scenario has at least, however slow the machine. */
const MIN_ROUNDS = 3

/**
 * Measures the stacks in turn, round by round, there and back: first to last, last to first. So a slow
 * drift of the machine meets all of them, and neighbours are compared that ran one after the other.
 */
export async function measureRounds(
  scenario: Scenario,
  stacks: readonly RunningStack[],
  { effort, log }: { readonly effort: Effort; readonly log: (line: string) => void },
): Promise<Round[]> {
  const wanted = scenario.rounds[effort]
  const end = Date.now() + scenario.budget[effort] * 1_000
  const rounds: Round[] = []
  while (rounds.length < wanted && (rounds.length < MIN_ROUNDS || Date.now() < end)) {
    const round: Record<string, Readonly<Record<string, number>>> = {}
    for (const stack of rounds.length % 2 === 0 ? stacks : stacks.toReversed()) {
      round[stack.name] = await scenario.measure(stack)
    }
    rounds.push(round)
    log(`${scenario.title}: round ${rounds.length} of ${wanted}`)
  }
  if (rounds.length < wanted) log(`${scenario.title}: ended early, out of time`)
  return rounds
}

/** Runs every stack until its code is compiled and its caches are filled. */
export async function warmUp(stacks: readonly RunningStack[], effort: Effort): Promise<void> {
  const steps = effort === 'full' ? 50 : 10
  for (const stack of stacks) {
    for (let turn = 0; turn < 2; turn++) {
      await stack.run(steps)
      await Promise.all(Array.from({ length: 10 }, () => stack.run(10)))
    }
  }
}
