import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import {
  type ChatRequest,
  callTool,
  callTools,
  delay,
  type ModelServerOptions,
  type Reply,
  say,
  status,
} from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { restless, type Scenario, scripted } from './scenario.js'

const base = { description: 'Use when the test says so.', input: z.object({}) }
const quick = defineTool({
  ...base,
  name: 'quick',
  input: z.object({ id: z.string() }),
  annotations: { readOnlyHint: true },
  local: true,
  retry: { maximumAttempts: 2 },
  execute: ({ id }, { attempt }) => {
    if (id === 'bad' || (id === 'flaky' && attempt === 1)) throw new TypeError(id)
    return `${id} found`
  },
})
const cached = defineTool({
  ...base,
  name: 'cached',
  annotations: { readOnlyHint: true },
  cache: 'run',
  maxCalls: 2,
  execute: () => 'as it was',
})
const change = defineTool({
  ...base,
  name: 'change',
  invalidates: ['cached'],
  execute: () => 'changed',
})
const long = defineTool({
  ...base,
  name: 'long',
  input: z.object({ chars: z.int() }),
  annotations: { readOnlyHint: true },
  execute: ({ chars }) => 'long '.repeat(chars / 5),
})

/** A model that reads on in what was cut from a result of so many characters. */
function pageTurner(chars: number): ModelServerOptions {
  return {
    respond: ({ messages }, { index }) => {
      if (index === 0) return callTool('long', { chars })
      const id = /read_more shows them: id "(\w+)"/.exec(`${messages[3]?.content}`)?.[1] ?? ''
      return index < 3 ? callTool('read_more', { id, page: index }) : say('done')
    },
  }
}

/** Summaries after each step, and a model that makes them or does not. */
const shortMemory = { summary: { keepMessages: 2, aboveTokens: 5 } }
function remembering(summary: Reply): ModelServerOptions {
  return {
    respond: ({ tools, messages }) => {
      if (tools === undefined) return summary
      const results = messages.filter(({ role }) => role === 'tool')
      if (results.at(-1)?.content === '{"id":"A3","found":true}') return say('done')
      return callTool('lookup', { id: results.length === 0 ? 'A1' : nextId(messages) })
    },
  }
}

function nextId(messages: ChatRequest['messages']): string {
  const ids = JSON.stringify(messages).match(/(?<=A)\d/g) ?? []
  return `A${Math.max(...ids.map(Number)) + 1}`
}

const tooLong = status(400, {
  body: { error: { message: 'Too long.', code: 'context_length_exceeded' } },
})

/** Memory, budgets and what saves calls. */
export const LONG_RUNS: Readonly<Record<string, Scenario>> = {
  'memory-summary': {
    agents: [testAgent({ memory: shortMemory })],
    model: remembering(say('It was looked up.')),
  },
  'memory-summary-failed': {
    agents: [testAgent({ memory: shortMemory })],
    model: remembering(status(401)),
  },
  'context-length-shortened': {
    agents: [testAgent()],
    model: scripted(
      ...['A1', 'A2', 'A3'].map((id) => callTool('lookup', { id })),
      tooLong,
      say('done'),
    ),
  },
  'token-budget': {
    agents: [testAgent({ limits: { maxSteps: 50, maxTokens: 1_000 } })],
    model: { respond: restless('lookup', (index) => ({ id: `A${index}` })) },
  },
  deadline: {
    agents: [testAgent({ limits: { maxSteps: 50, deadline: '2s' } })],
    model: {
      respond: (request, info) =>
        delay(400, restless('lookup', (index) => ({ id: `A${index}` }))(request, info)),
    },
  },
  'local-tools': {
    agents: [testAgent({ tools: [quick, lookup] })],
    model: scripted(
      callTools([
        { name: 'quick', args: { id: 'flaky' } },
        { name: 'lookup', args: { id: 'A1' } },
        { name: 'quick', args: { id: 'A2' } },
      ]),
      callTool('quick', { id: 'bad' }),
      say('done'),
    ),
  },
  'tool-cache': {
    agents: [testAgent({ tools: [cached, change] })],
    model: scripted(
      callTool('cached', {}),
      callTools(['cached', 'cached', 'change'].map((name) => ({ name, args: {} }))),
      callTool('cached', {}),
      callTool('change', {}),
      callTool('cached', {}),
      say('done'),
    ),
  },
  'read-more': {
    agents: [testAgent({ tools: [long] })],
    model: pageTurner(8_000),
  },
  'read-more-stored': {
    agents: [testAgent({ tools: [long] })],
    model: pageTurner(80_000),
    artifacts: { put: async () => {}, get: async () => 'long '.repeat(15_000) },
  },
}
