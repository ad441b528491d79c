import { floor, floorLocal, openaiAgents, perdure, perdureLocal } from '../stacks/index.js'
import { endlessRun } from './endless-run.js'
import { history } from './history.js'
import { idleSessions } from './idle-sessions.js'
import { longRun } from './long-run.js'
import { memoryPolicies } from './memory-policies/index.js'
import { parallelCalls } from './parallel-calls.js'
import { residentMemory } from './resident-memory.js'
import type { Scenario } from './scenario.js'
import { stepTime } from './step-time.js'
import { throughput } from './throughput.js'
import { toolCache } from './tool-cache.js'
import { workerStart } from './worker-start.js'

/** Which command measures: `npm run bench`, in eight minutes, or `npm run bench:full`, what takes longer. */
export type Suite = 'short' | 'long'

const ALL = [floor, perdure, floorLocal, perdureLocal, openaiAgents]

/** In the order in which they are measured and told. */
export const SCENARIOS: Readonly<Record<Suite, readonly Scenario[]>> = {
  short: [
    stepTime(10, ALL, { rounds: { full: 40, quick: 2 }, budget: { full: 65, quick: 10 } }),
    stepTime(50, ALL, { rounds: { full: 15, quick: 1 }, budget: { full: 65, quick: 15 } }),
    stepTime(200, [floor, perdure], {
      rounds: { full: 11, quick: 1 },
      budget: { full: 85, quick: 15 },
    }),
    throughput({ full: 20, quick: 20 }, ALL, {
      rounds: { full: 9, quick: 1 },
      budget: { full: 75, quick: 15 },
    }),
    history,
    memoryPolicies,
    toolCache,
    parallelCalls,
  ],
  long: [
    workerStart,
    residentMemory,
    idleSessions,
    throughput({ full: 500, quick: 50 }, [floor, perdure], {
      rounds: { full: 5, quick: 1 },
      budget: { full: 300, quick: 30 },
    }),
    longRun,
    endlessRun,
  ],
}
