import { readList } from '../page-list.js'
import { slowStack } from '../stacks/index.js'
import type { Scenario } from './scenario.js'
import { ofStacks } from './stack-subjects.js'

const CALLS = 40
const AT_ONCE = 8

/** What running the calls of one step beside each other saves. */
export const parallelCalls: Scenario = {
  name: 'parallel-calls',
  title: `Parallel calls: ${CALLS} independent calls, ${AT_ONCE} a step`,
  note: 'A tool that waits 50 ms; the same replies of the model in both, which take no time.',
  figures: [{ name: 'ms', label: 'time of the run', unit: 'ms' }],
  rounds: { full: 6, quick: 1 },
  budget: { full: 35, quick: 15 },
  subjects: ofStacks(
    [slowStack('`parallel: false`', 'slow_reader_serial'), slowStack('default', 'slow_reader')],
    async (stack) => {
      const pages = Array.from({ length: CALLS }, (_, i) => i + 1)
      const run = await stack.run(readList('independent', pages, AT_ONCE))
      return { ms: run.closedAt - run.startedAt }
    },
  ),
}
