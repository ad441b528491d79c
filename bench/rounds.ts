import type { Round } from './results.js'
import type { Effort, Scenario, Subject, Values } from './scenarios/scenario.js'

/** Rounds that a scenario has at least, however slow the machine, unless it wants fewer. */
const MIN_ROUNDS = 3

/**
 * Measures the subjects in turn, round by round, there and back: first to last, last to first. So a slow
 * drift of the machine meets all of them, and neighbours are compared that ran one after the other.
 */
export async function measureRounds(
  scenario: Scenario,
  subjects: readonly Subject[],
  { effort, log }: { readonly effort: Effort; readonly log: (line: string) => void },
): Promise<Round[]> {
  const wanted = scenario.rounds[effort]
  const end = Date.now() + scenario.budget[effort] * 1_000
  const rounds: Round[] = []
  while (rounds.length < wanted && (rounds.length < MIN_ROUNDS || Date.now() < end)) {
    const isThere = rounds.length % 2 === 0
    const values: (readonly [string, Values])[] = []
    for (const subject of isThere ? subjects : subjects.toReversed()) {
      values.push([subject.name, await subject.measure()])
    }
    rounds.push(Object.fromEntries(isThere ? values : values.toReversed()))
    log(`${scenario.title}: round ${rounds.length} of ${wanted}`)
  }
  if (rounds.length < wanted) log(`${scenario.title}: ended early, out of time`)
  return rounds
}
