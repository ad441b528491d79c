import type { Results } from '../results.js'
import type { Suite } from '../scenarios/index.js'
import * as stacks from '../stacks/index.js'
import { part, partOf } from './part.js'
import { PROFILE } from './profile.js'
import { wrap } from './wrap.js'

const STACKS = [
  stacks.floor,
  stacks.perdure,
  stacks.perdureLocal,
  stacks.perdureMemory,
  stacks.perdureEstimate,
  stacks.openaiAgents,
]

/** The page `docs/benchmarks.md`, with the part of one suite made anew; the other's stays as it is. */
export function page(suite: Suite, results: Results, before: string): string {
  const parts = (['short', 'long'] as const).map((one) =>
    one === suite ? part(suite, results) : partOf(one, before),
  )
  return `# Benchmarks

What an agent's loop costs beside the least that it could cost on Temporal, and what it saves. Only the ratios are claims; times,
rates and memory are for orientation, and those of one machine.

Figures are medians with the range from the 10th to the 90th percentile. A ratio is taken within each round, between runs that
followed one another, and its median is told.

${parts.join('\n\n')}

${PROFILE}

## The stacks

${STACKS.map(({ name, what }) => wrap(`- **${name}**: ${what}.`, '  ')).join('\n')}

All do the same: read so many pages by a tool, one a step, 1,000 characters each, then answer. The model is a stand-in inside the
worker that takes no time; it looks at the prompt, and a missing or wrong observation ends the benchmark. A step is one model call
and one tool call; the last model call, which answers, comes on top.

## Method

- One Temporal dev server for all stacks, in memory, with the settings of every server that perdure starts (\`npm start\`,
  \`perdure dev\`, tests).
- A worker process and a task queue for each stack, all of them up while they are compared, with the same options of the Temporal
  SDK: cached workflows, activities and workflow tasks at once. The agents of perdure share one worker.
- perdure runs from \`dist/\`, as its users run it: with the workflow bundle that ships, made in webpack's production mode. The
  others bundle their workflows at start, as the SDK does for everybody who does not prepare it. Its build id is 26 characters, theirs
  the SDK's own of 90, in half of all events.
- After a warm-up the stacks run in turn, round by round, from the first to the last and back, so that a machine which gets slower or
  faster does so for all.
- Times are between the start and the close of a run by the server's clock: what a client adds is not in them. History is what the
  server counts for the run, all executions of its chain together. CPU time and resident memory are those that the worker process
  tells of itself, all threads.
- The floor has no rule of any kind: no limit, no retries of its own, no check of arguments, no table in the UI, nothing that a
  crashed worker's successor could build a prompt from.

## Not measured

- Real models: a call takes seconds, beside which the milliseconds here vanish. What a summary forgets depends on who writes it.
- A Temporal server with PostgreSQL or Cassandra, of several nodes, or Temporal Cloud, and the network to them: each task then takes
  longer, for all stacks alike.
- An untuned server, which adds 50 ms to every dispatched task.
- Windows and macOS, other versions of Node.js, machines with many cores, several workers on one queue.
- Days: what grows in a worker that serves many runs for long.
- Large observations, failures and retries ([failures.md](failures.md), [storm.md](storm.md)).
- The client's share: \`AgentClient.start\` makes one more request than a plain start.
`
}
