import type { Stack } from './stack.js'

/** What every other stack is compared with. */
export const floor = floorStack({
  name: 'floor',
  what: 'a bare workflow with two activities a step, the conversation by reference; bundled at start, as users of Temporal do',
  workflow: 'floor',
})

export const floorLocal = floorStack({
  name: 'floor, local tool',
  what: 'the same with the tool as a local activity: the least that one activity a step can cost',
  workflow: 'floorLocal',
})

export const perdure = perdureStack({
  name: 'perdure',
  what: "the built package, started by AgentClient; an agent with `memory: 'none'`, since the floor keeps every word too, and all other defaults",
  agent: 'reader',
})

export const perdureLocal = perdureStack({
  name: 'perdure, local tool',
  what: 'the same with `local: true` on the tool',
  agent: 'reader_local',
})

export const perdureMemory = perdureStack({
  name: 'perdure, default memory',
  what: 'the same with the memory that agents have by default; summaries are made by the stand-in',
  agent: 'reader_memory',
})

export const perdureEstimate: Stack = {
  ...perdureStack({
    name: 'perdure, no tokenizer',
    what: "the same with the worker's `tokenizer: 'estimate'`",
    agent: 'reader',
  }),
  worker: new URL('./perdure/worker-estimate.ts', import.meta.url),
}

/** Needs the packages in `bench/peers`. */
export const openaiAgents: Stack = {
  name: 'openai-agents',
  what: '@temporalio/openai-agents 1.23.0 as its guide shows it, the tool as an activity',
  isPeer: true,
  worker: new URL('../peers/openai-agents/worker.ts', import.meta.url),
  start: ({ client, taskQueue }, workflowId, question) =>
    client.workflow.start('openaiAgents', { workflowId, taskQueue, args: [question] }),
  answer: (result) => result,
}

/** An agent whose tool waits, with what is told of it. */
export function slowStack(name: string, agent: string): Stack {
  return perdureStack({ name, what: 'an agent whose tool waits', isSlow: true, agent })
}

/** A workflow of the floor's worker. */
function floorStack({
  workflow,
  ...about
}: Pick<Stack, 'name' | 'what'> & { readonly workflow: string }): Stack {
  return {
    ...about,
    worker: new URL('./floor/worker.ts', import.meta.url),
    start: ({ client, taskQueue }, workflowId, question) =>
      client.workflow.start(workflow, { workflowId, taskQueue, args: [question] }),
    answer: (result) => result,
  }
}

/** An agent of perdure's worker. */
function perdureStack({
  agent,
  ...about
}: Pick<Stack, 'name' | 'what' | 'isSlow'> & { readonly agent: string }): Stack {
  return {
    ...about,
    worker: new URL('./perdure/worker.ts', import.meta.url),
    start: ({ agents }, id, input) => agents.start(agent, { id, input }),
    answer: (result) => (result as { answer?: unknown } | null)?.answer,
  }
}
