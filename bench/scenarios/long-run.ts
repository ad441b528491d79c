import { floor, openaiAgents, perdure, perdureMemory } from '../stacks/index.js'
import type { RunningStack } from '../stacks/running-stack.js'
import type { Stage } from '../stage.js'
import { readPages } from '../workload.js'
import { growth } from './history.js'
import type { Scenario, Subject } from './scenario.js'

const STEPS = { full: 1_000, quick: 100 }

/** A long run: what the whole chain of its executions holds, and who gets that far. */
export const longRun: Scenario = {
  name: 'long-run',
  title: `One run of ${STEPS.full.toLocaleString('en')} steps`,
  note: "perdure with its default memory; the floor keeps the conversation outside of Temporal. The server terminates a run at 50 MB. The last row: bytes of a step here, against what a step adds between 50 and 200 with `memory: 'none'`.",
  figures: [
    { name: 'steps', label: 'steps done', unit: 'steps', hasRatio: false },
    { name: 'historyBytes', label: 'history of the whole chain', unit: 'kB' },
    { name: 'executions', label: 'executions in the chain', unit: '', hasRatio: false },
    { name: 'msPerStep', label: 'time of a step', unit: 'ms' },
    {
      name: 'toMarginal',
      label: "history of a step, to perdure's marginal",
      unit: 'ratio',
      hasRatio: false,
    },
  ],
  rounds: { full: 1, quick: 1 },
  budget: { full: 60, quick: 60 },
  subjects: async (stage) => {
    const { marginal } = await growth(await stage.running(perdure))
    const stacks = [floor, perdureMemory, ...(stage.hasPeers ? [openaiAgents] : [])]
    const subjects: Subject[] = []
    for (const stack of stacks) {
      const running = await stage.running(stack)
      subjects.push({ name: stack.name, measure: () => measure(running, stage, marginal) })
    }
    return subjects
  },
}

async function measure(stack: RunningStack, { effort }: Stage, marginal: number) {
  const run = await stack.attempt(readPages(STEPS[effort]))
  // A run that was terminated had done the steps before the page that it asked for last.
  const steps = run.answered ? STEPS[effort] : (await stack.usage()).lastPage - 1
  return {
    steps,
    historyBytes: run.historyBytes,
    executions: run.executions,
    msPerStep: (run.closedAt - run.startedAt) / steps,
    toMarginal: run.historyBytes / steps / marginal,
  }
}
