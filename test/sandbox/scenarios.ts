import { ApplicationFailure } from '@temporalio/common'
import { z } from 'zod'
import { defineRemoteTool, defineTool, ToolError } from '../../src/index.js'
import {
  type ChatRequest,
  callTool,
  callTools,
  empty,
  hang,
  refuse,
  say,
  status,
} from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { LONG_RUNS } from './long-runs.js'
import { PEOPLE } from './people.js'
import { restless, type Scenario, scripted } from './scenario.js'

const base = { description: 'Use when the test says so.', input: z.object({}) }
const serial = defineTool({ ...base, name: 'serial', parallel: false, execute: () => 'alone' })
const failing = defineTool({
  ...base,
  name: 'failing',
  input: z.object({ n: z.number() }),
  execute: ({ n }) => {
    throw new ToolError(`no ${n}`)
  },
})

function remote(name: string, taskQueue = 'remote-tools') {
  return defineRemoteTool({
    name,
    description: 'Use when the test says so.',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    taskQueue,
    scheduleToStartTimeout: '2s',
  })
}

/** A read-only tool that throws on its first attempts. */
function flaky(failures: number) {
  let attempts = 0
  return defineTool({
    ...base,
    name: 'flaky',
    annotations: { readOnlyHint: true },
    execute: () => {
      if (attempts++ < failures) throw new TypeError('flaky')
      return 'up again'
    },
  })
}

const strategies = [{ name: 'calm', when: 'They are angry.', instructions: 'Stay calm.' }]

/** Every kind of run so far, by the name of its file in `histories/`. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  answered: {
    agents: [testAgent({ tools: [lookup, serial] })],
    model: scripted(
      callTools([
        { name: 'lookup', args: { id: 'A1' } },
        { name: 'serial', args: {} },
        { name: 'lookup', args: { id: 'A2' } },
        { name: 'unknown', args: {} },
      ]),
      say('done'),
    ),
  },
  strategy: {
    agents: [testAgent({ strategies })],
    model: scripted(say('calm'), callTool('lookup', { id: 'A1' }), say('done')),
  },
  'strategy-failed': {
    agents: [testAgent({ strategies })],
    model: scripted(status(401), say('done')),
  },
  'agent-serial': {
    agents: [testAgent({ parallel: false })],
    model: scripted(
      callTools(['A1', 'A2'].map((id) => ({ name: 'lookup', args: { id } }))),
      say('done'),
    ),
  },
  'max-steps': {
    agents: [testAgent({ limits: { maxSteps: 3 } })],
    model: { respond: restless('lookup', (index) => ({ id: `A${index}` })) },
  },
  'limit-failed': {
    agents: [testAgent({ limits: { maxSteps: 1 }, onLimit: 'fail' })],
    model: scripted(callTool('lookup', { id: 'A1' })),
  },
  repeats: {
    agents: [testAgent()],
    model: { respond: restless('lookup', () => ({ id: 'A1' })) },
  },
  'tool-errors': {
    agents: [testAgent({ tools: [failing] })],
    model: { respond: restless('failing', (n) => ({ n })) },
  },
  'tool-retried': {
    agents: [testAgent({ tools: [flaky(1)] })],
    model: scripted(callTool('flaky', {}), say('done')),
  },
  'tool-given-up': {
    agents: [testAgent({ tools: [flaky(9)] })],
    model: scripted(callTool('flaky', {}), say('It is down.')),
  },
  'tool-failure': {
    agents: [testAgent({ tools: [flaky(9)], onToolFailure: 'fail' })],
    model: scripted(callTool('flaky', {})),
  },
  'remote-tools': {
    agents: [testAgent({ tools: [remote('stock'), remote('gone'), remote('asleep', 'nobody')] })],
    activities: {
      stock: ({ args }) => ({ ...args, pieces: 12 }),
      gone: () => {
        throw ApplicationFailure.nonRetryable('It is gone.', 'ToolError')
      },
    },
    model: scripted(
      callTools(['stock', 'gone', 'asleep'].map((name) => ({ name, args: { id: 'A1' } }))),
      say('done'),
    ),
  },
  'model-retried': {
    agents: [testAgent()],
    model: scripted(status(503), say('done')),
  },
  'model-error': {
    agents: [testAgent()],
    model: scripted(status(401)),
  },
  'fallback-model': {
    agents: [testAgent({ model: ['first-model', 'second-model'] })],
    model: {
      respond: ({ model, messages }) => {
        if (model === 'first-model') return status(401)
        const answered = messages.some(({ role }) => role === 'tool')
        return answered ? say('done') : callTool('lookup', { id: 'A1' })
      },
    },
  },
  refusal: { agents: [testAgent()], model: scripted(refuse('I cannot help with that.')) },
  'empty-reply': { agents: [testAgent()], model: scripted(empty(), empty()) },
  'definition-error': { agents: [testAgent()], model: scripted(), agent: 'nobody' },
  'cancelled-in-model-call': {
    agents: [testAgent()],
    model: scripted(hang()),
    during: async (run, model) => {
      await model.waitFor(1)
      await run.cancel()
    },
  },
  ...LONG_RUNS,
  forked: {
    agents: [testAgent({ tools: [lookup, serial] })],
    model: scripted(
      callTool('lookup', { id: 'A1' }),
      callTool('serial', {}),
      say('done'),
      callTool('serial', {}),
      callTool('serial', { again: true }),
      callTool('lookup', { id: 'A1' }),
      say('done in a fork'),
    ),
    fork: { step: 2, instructions: 'You are a fork.', limits: { maxSteps: 9 } },
  },
  // The server that records suggests continuing as new at 40 events.
  'continued-as-new': {
    agents: [testAgent({ limits: { maxSteps: 12 } })],
    model: {
      respond: (_: ChatRequest, { index }) =>
        index < 6 ? callTool('lookup', { id: `A${index}` }) : say('done'),
    },
  },
  ...PEOPLE,
}
