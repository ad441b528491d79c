import { describe, expect, it } from 'vitest'
import type { ToolActivity } from '../../../src/activities/run-tool.js'
import type { AgentActivities, ToolCallInput } from '../../../src/contract/activities.js'
import type { Agent } from '../../../src/definition/define-agent.js'
import { defineRemoteTool } from '../../../src/definition/define-remote-tool.js'
import { type ActivityDependencies, createActivities } from '../../../src/worker/activities.js'
import type { Models } from '../../../src/worker/models.js'
import { attempt } from '../activities/attempt.js'
import { agentWith, lookup, toolNamed, WORKER } from '../activities/sample.js'

const CALL: ToolCallInput = { turn: 1, step: 1, call: 1, args: {}, context: null, origin: 'o' }

const MODELS: Models = {
  nameOf: (name) => name,
  modelOf: () => ({
    complete: async () => ({ text: 'hi', calls: [], finish: 'stop', tokens: null }),
  }),
}

function make(agents: readonly Agent[], more: Partial<ActivityDependencies> = {}) {
  return createActivities({
    agents,
    models: MODELS,
    worker: WORKER,
    draining: new AbortController().signal,
    ...more,
  })
}

describe('the activities of a worker', () => {
  it('are those of every turn and one for each tool', () => {
    const agents = [agentWith({ tools: [lookup, toolNamed('refund')] })]
    expect(Object.keys(make(agents)).sort()).toEqual([
      ...[
        'callModel',
        'checkCall',
        'chooseStrategy',
        'lookup',
        'prepareTurn',
        'read_more',
        'refund',
        'summarize',
      ],
    ])
  })

  it('are none for a remote tool: another worker has it', () => {
    const remote = defineRemoteTool({
      name: 'stock',
      description: 'Use when the test says so.',
      inputSchema: { type: 'object' },
      taskQueue: 'warehouse',
    })
    expect(Object.keys(make([agentWith({ tools: [lookup, remote] })])).sort()).toEqual([
      ...[
        'callModel',
        'checkCall',
        'chooseStrategy',
        'lookup',
        'prepareTurn',
        'read_more',
        'summarize',
      ],
    ])
  })

  it('are those of every turn for a worker without agents', () => {
    expect(Object.keys(make([])).sort()).toEqual([
      ...['callModel', 'checkCall', 'chooseStrategy', 'prepareTurn', 'read_more', 'summarize'],
    ])
  })

  it.each(['__proto__', 'constructor', 'toString'])('may be a tool named %s', async (name) => {
    const activities = make([agentWith({ tools: [toolNamed(name)] })])
    const [type, activity] = Object.entries(activities).find(([key]) => key === name) ?? []
    expect(type).toBe(name)
    expect(Object.getPrototypeOf(activities)).toBe(Object.prototype)
    expect(await attempt().run(activity as ToolActivity, CALL)).toEqual({
      text: name,
      size: expect.any(Number),
    })
  })

  it('prepare turns of every agent, with the name that the worker has for the model', async () => {
    const models = { ...MODELS, nameOf: () => 'other' }
    const activities = make([agentWith(), agentWith({ name: 'sales' })], { models })
    const prepareTurn = activities['prepareTurn'] as AgentActivities['prepareTurn']
    const input = { agent: 'sales', turn: 1, input: 'hi', context: null }
    expect(await attempt().run(prepareTurn, input)).toMatchObject({
      agent: 'sales',
      model: 'other',
    })
  })
})

describe('prices', () => {
  const PRICE = { promptPerMillion: 1, completionPerMillion: 2 }
  const limited = (more = {}) => agentWith({ limits: { maxCostUsd: 1 }, ...more })

  it.each<[string, Agent]>([
    ['its model', limited()],
    ['a fallback', limited({ model: ['known', 'test-model'] })],
    [
      'the model of its summaries',
      limited({ model: 'known', memory: { summary: { model: 'test-model' } } }),
    ],
  ])('are needed for %s where an agent has a budget of money', (_, agent) => {
    expect(() => make([agent], { prices: { known: PRICE } })).toThrow(
      expect.objectContaining({
        name: 'DefinitionError',
        message:
          'agent "support": limits.maxCostUsd needs the price of "test-model": add it to the worker\'s prices.',
      }),
    )
    expect(() => make([agent])).toThrow('limits.maxCostUsd needs the price of')
    expect(() => make([agent], { prices: () => PRICE })).not.toThrow()
  })

  it('are needed by the name that the worker has for the model', () => {
    const models = { ...MODELS, nameOf: () => 'other' }
    expect(() => make([limited()], { models, prices: { other: PRICE } })).not.toThrow()
    expect(() => make([limited()], { models, prices: { 'test-model': PRICE } })).toThrow('"other"')
  })

  it('are not needed without a budget, but what is given must be one', () => {
    expect(() => make([agentWith()])).not.toThrow()
    const prices = { 'test-model': { ...PRICE, promptPerMillion: -1 } }
    expect(() => make([agentWith()], { prices })).toThrow('prices: "test-model" needs')
  })
})

describe('names', () => {
  it('of one tool that two agents share are no clash', () => {
    const agents = [agentWith(), agentWith({ name: 'sales' })]
    expect(make(agents)).toHaveProperty('lookup')
  })

  it('of one agent that is given twice are no clash', () => {
    const agent = agentWith()
    expect(make([agent, agent])).toHaveProperty('lookup')
  })

  it('of two different tools clash: both owners are named', () => {
    const agents = [
      agentWith({ tools: [toolNamed('act')] }),
      agentWith({ name: 'sales', tools: [toolNamed('act')] }),
    ]
    expect(() => make(agents)).toThrow(
      expect.objectContaining({
        name: 'DefinitionError',
        message: expect.stringMatching(
          /activity type "act": "act" of agent "support" and "act" of agent "sales"/,
        ),
      }),
    )
  })

  it('of two different tools of one name do not clash by their activity types', () => {
    const act = toolNamed('act')
    const other = { ...act, manifest: { ...act.manifest, activityType: 'act-v2' } }
    const agents = [agentWith({ tools: [act] }), agentWith({ name: 'sales', tools: [other] })]
    expect(Object.keys(make(agents))).toEqual(expect.arrayContaining(['act', 'act-v2']))
  })

  it('of two different agents clash', () => {
    expect(() => make([agentWith(), agentWith()])).toThrow(
      expect.objectContaining({
        name: 'DefinitionError',
        message: expect.stringContaining('"support"'),
      }),
    )
  })
})
