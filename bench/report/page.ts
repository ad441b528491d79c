import type { Machine, Results } from '../results.js'
import { tables } from './tables.js'

/** The page `docs/benchmarks.md`. */
export function page(results: Results): string {
  return `# Benchmarks

Made by \`npm run bench -- --write\` on ${results.date.slice(0, 10)}, perdure ${results.perdure}: what an agent's loop costs beside the least
that it could cost on Temporal. Only the ratios are claims; times, rates and memory are for orientation. They are those of one
machine: ${machine(results.machine)}.

Figures are medians with the range from the 10th to the 90th percentile. A ratio is taken within each round, between runs that
followed one another, and its median is told.

${tables(results)}

## The stacks

${results.stacks.map(({ name, what }) => `- **${name}**: ${what}.`).join('\n')}

All do the same: read so many pages by a tool, one a step, 1,000 characters each, then answer. The model is a stand-in inside the
worker that takes no time; it looks at the prompt, and a missing or wrong observation ends the benchmark. A step is one model call
and one tool call; the last model call, which answers, comes on top.

## Method

- One Temporal dev server for all stacks, in memory, with the settings of every server that perdure starts (\`npm start\`,
  \`perdure dev\`, tests).
- One worker process and one task queue for each stack, all up for the whole time, with the same options of the Temporal SDK: cached
  workflows, activities and workflow tasks at once.
- After a warm-up the stacks run in turn, round by round, from the first to the last and back, so that a machine which gets slower or
  faster does so for all.
- Times are between the start and the close of a run by the server's clock: what a client adds is not in them. History is what the
  server counts for the run. CPU time and resident memory are those that the worker process tells of itself, all threads.
- The floor has no rule of any kind: no limit, no retries of its own, no check of arguments, no table in the UI, nothing that a
  crashed worker's successor could build a prompt from.

## Not measured

- Real models: a call takes seconds, beside which the milliseconds here vanish.
- A Temporal server with PostgreSQL or Cassandra, of several nodes, or Temporal Cloud, and the network to them: each task then takes
  longer, for all stacks alike.
- An untuned server, which adds 50 ms to every dispatched task.
- Windows and macOS, other versions of Node.js, machines with many cores, several workers on one queue.
- Hours and days: growth of memory, continue-as-new, runs of thousands of steps.
- Parallel tool calls, large observations, failures and retries ([failures.md](failures.md), [storm.md](storm.md)).
- The client's share: \`AgentClient.start\` makes one more request than a plain start.
`
}

function machine(facts: Machine): string {
  const { cores, memoryGB, platform, node, temporalServer, temporalSdk, loadBefore } = facts
  const load = `load ${loadBefore.toFixed(1)} before the start`
  return `${cores} cores, ${memoryGB} GB, ${platform}, Node.js ${node}, Temporal server ${temporalServer}, SDK ${temporalSdk}, ${load}`
}
