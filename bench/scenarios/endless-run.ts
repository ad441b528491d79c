import { setTimeout as sleep } from 'node:timers/promises'
import { perdureMemory } from '../stacks/index.js'
import type { RunningStack } from '../stacks/running-stack.js'
import type { Stage } from '../stage.js'
import { spreadOf } from '../statistics.js'
import type { Usage } from '../worker-host.js'
import { readPages } from '../workload.js'
import type { Scenario } from './scenario.js'

const STEPS = { full: 10_000, quick: 300 }
/** Where memory is compared with the end. */
const EARLY = { full: 1_000, quick: 150 }
/** Steps before and after: one value would be luck, with what is free to be collected in it. */
const AROUND = { full: 200, quick: 50 }
const POLL_MS = 200
/** Steps after which the log tells how far it is. */
const LOG_STEPS = 500

/** A run that goes on and on: does it end, and what grows. */
export const endlessRun: Scenario = {
  name: 'endless-run',
  title: `One run of ${STEPS.full.toLocaleString('en')} steps`,
  note: `Default memory, a worker of its own, one run. Resident memory: the median of what the worker told while the run was within ${AROUND.full} steps of the place. The model counts each prompt as a provider would.`,
  figures: [
    { name: 'steps', label: 'steps done', unit: 'steps' },
    { name: 'executions', label: 'executions in the chain', unit: '' },
    { name: 'seconds', label: 'time of the run', unit: 's' },
    { name: 'historyBytes', label: 'history of the whole chain', unit: 'kB' },
    { name: 'largestPrompt', label: 'largest prompt', unit: 'tokens' },
    { name: 'rssEarly', label: "worker's resident memory at step 1,000", unit: 'MB' },
    { name: 'rssLate', label: "worker's resident memory at the end", unit: 'MB' },
    { name: 'rssGrowth', label: 'of these, end to step 1,000', unit: 'ratio' },
  ],
  rounds: { full: 1, quick: 1 },
  budget: { full: 60, quick: 60 },
  subjects: async (stage) => [
    {
      name: perdureMemory.name,
      measure: async () => {
        const stack = await stage.fresh(perdureMemory)
        try {
          return await measure(stack, stage)
        } finally {
          await stack.stop()
        }
      },
    },
  ],
}

async function measure(stack: RunningStack, { effort, log }: Stage) {
  const steps = STEPS[effort]
  const done = new AbortController()
  const samples = watch(stack, log, done.signal)
  // A worker that ends ends the run too, which tells why.
  samples.catch(() => {})
  const run = await stack.run(readPages(steps)).finally(() => done.abort())
  const usages = await samples
  const rssAt = (from: number, to: number) =>
    spreadOf(
      usages.filter(({ lastPage }) => lastPage >= from && lastPage <= to).map((u) => u.rssBytes),
    ).median
  const rssEarly = rssAt(EARLY[effort] - AROUND[effort], EARLY[effort] + AROUND[effort])
  const rssLate = rssAt(steps - 2 * AROUND[effort], steps)
  return {
    steps,
    executions: run.executions,
    seconds: (run.closedAt - run.startedAt) / 1_000,
    historyBytes: run.historyBytes,
    largestPrompt: (await stack.usage()).largestPrompt,
    rssEarly,
    rssLate,
    rssGrowth: rssLate / rssEarly,
  }
}

/** What the worker tells of itself, again and again until `signal` aborts. */
async function watch(
  stack: RunningStack,
  log: Stage['log'],
  signal: AbortSignal,
): Promise<Usage[]> {
  const usages: Usage[] = []
  let told = 0
  while (!signal.aborted) {
    const usage = await stack.usage()
    usages.push(usage)
    if (usage.lastPage >= told + LOG_STEPS) {
      told = usage.lastPage
      log(`step ${usage.lastPage}, ${Math.round(usage.rssBytes / 1_000_000)} MB`)
    }
    await sleep(POLL_MS)
  }
  return usages
}
