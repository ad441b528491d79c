import { readList } from '../page-list.js'
import { slowStack } from '../stacks/index.js'
import type { RunningStack } from '../stacks/running-stack.js'
import type { Scenario } from './scenario.js'
import { ofStacks } from './stack-subjects.js'

/** 25 calls, of which 3 ask again for what was read before: 12 %. */
const PAGES = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 3, 9, 10, 11, 12, 13, 14, 15, 16, 10],
  ...[17, 18, 19, 20, 21, 20, 22],
]

/** What answering a call from the run's state saves. */
export const toolCache: Scenario = {
  name: 'tool-cache',
  title: `Tool cache: ${PAGES.length} calls, 12 % of them repeated`,
  note: 'A tool that waits 50 ms, one call a step; the model takes no time.',
  figures: [
    { name: 'ms', label: 'time of the run', unit: 'ms' },
    { name: 'ran', label: 'calls that ran', unit: '' },
    { name: 'saved', label: 'calls answered from the cache', unit: '', hasRatio: false },
    { name: 'historyBytes', label: 'history', unit: 'kB' },
  ],
  rounds: { full: 6, quick: 1 },
  budget: { full: 35, quick: 15 },
  subjects: ofStacks(
    [slowStack('no cache', 'slow_reader'), slowStack("`cache: 'run'`", 'slow_reader_cached')],
    measure,
  ),
}

async function measure(stack: RunningStack) {
  const run = await stack.run(readList('repeats', PAGES, 1))
  const steps = await stack.agents.get(run.id).steps()
  const calls = steps.flatMap((step) => step.calls)
  return {
    ms: run.closedAt - run.startedAt,
    ran: calls.filter(({ status }) => status === 'ok').length,
    saved: calls.filter(({ status }) => status === 'cached').length,
    historyBytes: run.historyBytes,
  }
}
