import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Agent, DefinitionError, defineAgent, defineTool, ToolError } from '../../src/index.js'
import { callTool, callTools, say } from '../../src/testing/index.js'
import { createWorker } from '../../src/worker.js'
import { lookup, testAgent } from '../kit/agents.js'
import { attempts } from '../kit/attempts.js'
import { observations, openStage } from './kit.js'

const fine = { name: 'a', instructions: 'i', model: 'm' }

/** Options that no type check has seen, and the field that the error names. */
const BAD_AGENTS: readonly (readonly [options: unknown, field: string])[] = [
  [{ ...fine, limits: { maxSteps: -1 } }, 'limits.maxSteps'],
  [{ ...fine, limits: { maxSteps: 0 } }, 'limits.maxSteps'],
  [{ ...fine, limits: { maxSteps: 1.5 } }, 'limits.maxSteps'],
  [{ ...fine, limits: { maxSteps: Number.NaN } }, 'limits.maxSteps'],
  [{ ...fine, limits: { maxSteps: Number.POSITIVE_INFINITY } }, 'limits.maxSteps'],
  [{ ...fine, limits: { maxSteps: '8' } }, 'limits.maxSteps'],
  [{ ...fine, limits: { maxSteps: null } }, 'limits.maxSteps'],
  [{ ...fine, limits: { maxStep: 8 } }, 'maxStep'],
  [{ ...fine, modle: 'm' }, 'modle'],
  [{ ...fine, toolChoice: 'lookup' }, 'toolChoice'],
  [{ ...fine, model: '' }, 'model'],
  [{ ...fine, model: [] }, 'model'],
  [{ ...fine, model: ['m', ''] }, 'model'],
  [{ ...fine, model: undefined }, 'model'],
  [{ ...fine, instructions: '  ' }, 'instructions'],
  [{ ...fine, name: 'two words' }, 'name'],
  [{ ...fine, name: '' }, 'name'],
  [{ ...fine, name: 'n'.repeat(65) }, 'name'],
  [{ ...fine, modelSettings: { temperature: -1 } }, 'modelSettings.temperature'],
  [{ ...fine, modelSettings: { temprature: 1 } }, 'temprature'],
  [{ ...fine, modelSettings: { maxTokens: 0 } }, 'modelSettings.maxTokens'],
  [{ ...fine, modelTimeout: '-1s' }, 'modelTimeout'],
  [{ ...fine, modelTimeout: 'soon' }, 'modelTimeout'],
  [{ ...fine, modelTimeout: 0 }, 'modelTimeout'],
  [{ ...fine, modelRetry: { maximumAttempts: 0 } }, 'modelRetry.maximumAttempts'],
  [{ ...fine, modelRetry: { totalTime: -5 } }, 'modelRetry.totalTime'],
  [{ ...fine, onLimit: 'stop' }, 'onLimit'],
  [{ ...fine, onToolFailure: true }, 'onToolFailure'],
  [{ ...fine, parallel: 'no' }, 'parallel'],
  [{ ...fine, context: { type: 'object' } }, 'context'],
  [{ ...fine, tools: [{ name: 'x' }] }, 'tools.0'],
  [{ ...fine, tools: [lookup, lookup] }, 'tools.1'],
  [{ ...fine, tools: [null] }, 'tools.0'],
  [null, 'agent'],
  [undefined, 'agent'],
  ['agent', 'agent'],
]

const tool = { name: 't', description: 'd', input: z.object({}), execute: () => 1 }
const BAD_TOOLS: readonly (readonly [options: unknown, field: string])[] = [
  [{ ...tool, name: 'callModel' }, 'name'],
  [{ ...tool, name: 'default' }, 'name'],
  [{ ...tool, name: 'a b' }, 'name'],
  [{ ...tool, description: '' }, 'description'],
  [{ ...tool, input: { type: 'object' } }, 'input'],
  [{ ...tool, timeout: '0s' }, 'timeout'],
  [{ ...tool, timeout: Number.NaN }, 'timeout'],
  [{ ...tool, retry: { maximumAttempts: 0 } }, 'retry.maximumAttempts'],
  [{ ...tool, retry: { maximumAttempts: Number.POSITIVE_INFINITY } }, 'retry.maximumAttempts'],
  [{ ...tool, execute: 'run' }, 'execute'],
  [{ ...tool, annotations: { readOnly: true } }, 'readOnly'],
  [{ ...tool, annotations: { readOnlyHint: true, destructiveHint: true } }, 'annotations'],
  [{ ...tool, activityType: 'prepareTurn' }, 'activityType'],
  [{ ...tool, timeouts: 5 }, 'timeouts'],
  [null, 'tool'],
]

test('B32 · a worker without a model, or with two agents of one name, does not start', async () => {
  const other = testAgent({ instructions: 'Another.' })
  const model = { complete: () => Promise.reject(new Error('not asked')) }
  await expect(createWorker({ agents: [testAgent(), other], model })).rejects.toThrow('test-agent')
  const models = { local: { baseURL: 'http://127.0.0.1:9/v1', apiKeyEnv: 'NOT_SET_ANYWHERE' } }
  await expect(createWorker({ agents: [testAgent()], models })).rejects.toThrow('NOT_SET_ANYWHERE')
})

test('B32 · an error in what a run is started with fails it at once, with the reason', async () => {
  const stage = await openStage({
    agents: [
      testAgent(),
      testAgent({ name: 'who', context: z.object({ customerId: z.string() }) }),
      testAgent({
        name: 'throws',
        context: z.any().refine(() => {
          throw new TypeError('a bug in the schema')
        }),
      }),
    ],
  })
  const names = ['nobody', '', '__proto__', 'constructor', 'Test-Agent', 'n'.repeat(300)]
  const unknown = await Promise.all(
    names.filter(Boolean).map((agent) => stage.play({ agent, script: [] })),
  )
  for (const { error, requests } of unknown) {
    expect(error).toMatchObject({ name: 'AgentRunError', reason: 'definition_error' })
    expect(String(error)).toContain('Its agents: test-agent, who, throws.')
    expect(String(error).length).toBeLessThan(4_000)
    expect(requests).toEqual([])
  }
  const misfits = await Promise.all([
    stage.play({ agent: 'who', script: [] }),
    stage.play({ agent: 'who', context: { customerId: 7 }, script: [] }),
    stage.play({ agent: 'throws', context: {}, script: [] }),
  ])
  for (const { error } of misfits) expect(error).toMatchObject({ reason: 'definition_error' })
  expect(String(misfits[1]?.error)).toContain('context.customerId')
  const inputs = [
    [],
    [null],
    ['text'],
    [{}],
    [{ agent: 1, input: 'x' }],
    [{ agent: 'test-agent' }],
    [[]],
    [7],
  ]
  for (const [i, args] of inputs.entries()) {
    const handle = await stage.client.client.workflow.start('agent', {
      workflowId: `${stage.taskQueue}-${i}`,
      taskQueue: stage.taskQueue,
      args,
    })
    await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'AgentRunError' } })
  }
})

test('B32 · an error of the tool’s domain is told after one attempt, whatever the tool is', async () => {
  const page = (name: string, readOnlyHint: boolean) =>
    defineTool({
      name,
      description: 'd',
      input: z.object({}),
      annotations: { readOnlyHint },
      execute: () => {
        throw new ToolError('page not found')
      },
    })
  const bug = defineTool({
    name: 'bug',
    description: 'd',
    input: z.object({}),
    execute: () => {
      throw new TypeError('x is undefined')
    },
  })
  const stage = await openStage({
    agents: [testAgent({ tools: [page('read', true), page('write', false), bug] })],
  })
  const outcome = await stage.play({
    script: [callTools(['read', 'write', 'bug'].map((name) => ({ name, args: {} }))), say('done')],
  })
  const error = {
    status: 'error',
    error_type: 'tool_error',
    message: 'page not found',
    retryable: false,
  }
  expect(observations(outcome)).toEqual([
    JSON.stringify(error),
    JSON.stringify(error),
    expect.stringContaining('outcome_unknown'),
  ])
  for (const name of ['read', 'write', 'bug']) expect(attempts(outcome.events, name)).toBe(1)
})

test('B32 · a tool that is down for ever has bounded attempts, and so has the model', async () => {
  const down = defineTool({
    name: 'down',
    description: 'd',
    input: z.object({}),
    annotations: { idempotentHint: true },
    retry: { maximumAttempts: 2 },
    execute: () => {
      throw new Error('down')
    },
  })
  const stage = await openStage({ agents: [testAgent({ tools: [down], onToolFailure: 'fail' })] })
  const { error, events } = await stage.play({ script: [callTool('down', {})] })
  expect(error).toMatchObject({ reason: 'tool_failure', step: 1, call: 1 })
  expect(attempts(events, 'down')).toBe(2)
})

test.each(BAD_AGENTS)('B32 · a bad definition is refused when it is made: %j', (options, field) => {
  const define = () => (defineAgent as (options: unknown) => Agent)(options)
  expect(define).toThrow(DefinitionError)
  expect(define).toThrow(field)
})

test.each(BAD_TOOLS)('B32 · a bad tool is refused when it is made: %j', (options, field) => {
  const define = () => (defineTool as (options: unknown) => unknown)(options)
  expect(define).toThrow(DefinitionError)
  expect(define).toThrow(field)
})
