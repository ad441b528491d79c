import { floor, openaiAgents, perdure, perdureLocal } from '../stacks/index.js'
import type { RunningStack } from '../stacks/running-stack.js'
import { readPages } from '../workload.js'
import type { Scenario } from './scenario.js'
import { ofStacks } from './stack-subjects.js'

const SHORT = 50
const LONG = 200

/** How the history grows: what each further step adds. */
export const history: Scenario = {
  name: 'history',
  title: `What a step adds to the history, between ${SHORT} and ${LONG} steps`,
  note: 'Observations of 1,000 characters, of which a step has one.',
  figures: [
    { name: 'short', label: `history at ${SHORT} steps`, unit: 'kB' },
    { name: 'long', label: `history at ${LONG} steps`, unit: 'kB' },
    { name: 'marginal', label: 'each further step', unit: 'kB' },
  ],
  rounds: { full: 1, quick: 1 },
  budget: { full: 60, quick: 60 },
  subjects: ofStacks([floor, perdure, perdureLocal, openaiAgents], growth),
}

/** Bytes at both lengths, and for each step between them. */
export async function growth(stack: RunningStack) {
  const short = (await stack.run(readPages(SHORT))).historyBytes
  const long = (await stack.run(readPages(LONG))).historyBytes
  return { short, long, marginal: (long - short) / (LONG - SHORT) }
}
