import type { Stack } from './stack.js'

/** What every other stack is compared with. */
export const floor: Stack = {
  name: 'floor',
  what: 'a bare workflow with two activities a step, the conversation by reference',
  worker: new URL('./floor/worker.ts', import.meta.url),
  start: ({ client, taskQueue }, workflowId, question) =>
    client.workflow.start('floor', { workflowId, taskQueue, args: [question] }),
  answer: (result) => result,
}

const perdure: Stack = {
  name: 'perdure',
  what: 'an agent with all defaults, started by AgentClient',
  worker: new URL('./perdure/worker.ts', import.meta.url),
  start: ({ agents }, id, input) => agents.start('reader', { id, input }),
  answer: (result) => (result as { answer?: unknown } | null)?.answer,
}

const openaiAgents: Stack = {
  name: 'openai-agents',
  what: '@temporalio/openai-agents 1.23.0 as its guide shows it, the tool as an activity',
  worker: new URL('../peers/openai-agents/worker.ts', import.meta.url),
  start: ({ client, taskQueue }, workflowId, question) =>
    client.workflow.start('openaiAgents', { workflowId, taskQueue, args: [question] }),
  answer: (result) => result,
}

/** The floor first. */
export const OWN_STACKS: readonly Stack[] = [floor, perdure]
/** Those that need the packages in `bench/peers`. */
export const PEER_STACKS: readonly Stack[] = [openaiAgents]
