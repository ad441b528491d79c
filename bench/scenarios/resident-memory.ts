import { setTimeout as sleep } from 'node:timers/promises'
import { floor, perdure, perdureEstimate } from '../stacks/index.js'
import type { Stack } from '../stacks/stack.js'
import type { Stage } from '../stage.js'
import { readPages } from '../workload.js'
import type { Scenario } from './scenario.js'

const RUNS = 20
const STEPS = 10
/** Milliseconds after the last run before memory is read: by then what the end of the runs left is gone. */
const REST_MS = 1_500

/** What a worker holds: new ones, after their first runs. */
export const residentMemory: Scenario = {
  name: 'resident-memory',
  title: `Resident memory of a worker after ${RUNS} runs of ${STEPS} steps`,
  note: 'A new worker each time. The floor bundles its workflows at start, as users of Temporal do; perdure ships the bundle.',
  figures: [{ name: 'rssBytes', label: 'resident memory', unit: 'MB' }],
  rounds: { full: 7, quick: 1 },
  budget: { full: 240, quick: 30 },
  subjects: async (stage) => {
    await stage.clear()
    return [floor, perdure, perdureEstimate].map((stack) => ({
      name: stack.name,
      measure: () => measure(stage, stack),
    }))
  },
}

async function measure(stage: Stage, stack: Stack) {
  const running = await stage.fresh(stack)
  try {
    await Promise.all(Array.from({ length: RUNS }, () => running.run(readPages(STEPS))))
    await sleep(REST_MS)
    const { rssBytes } = await running.usage()
    return { rssBytes }
  } finally {
    await running.stop()
  }
}
