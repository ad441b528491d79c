import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Manifest } from '../../../src/contract/manifest.js'
import type { Agent } from '../../../src/definition/define-agent.js'
import { defineTool } from '../../../src/index.js'
import { findDrift } from '../../../src/replay/drift.js'
import { lookup, testAgent } from '../../kit/agents.js'

/** What a worker records of an agent. */
function recordedOf(agent: Agent, context: unknown = null): Manifest {
  return {
    ...agent.manifest,
    instructions: agent.instructionsFor(context),
    heartbeatTimeoutMs: 10_000,
    searchAttributes: ['PerdureAgent'],
    tokens: { definition: 1, input: 2 },
    loopVersion: 7,
  }
}

async function driftOf(
  before: Agent,
  now: Agent,
  more: { modelName?: (name: string) => string } = {},
) {
  return await findDrift(recordedOf(before), now, { context: null, ...more })
}

const other = defineTool({ name: 'other', description: 'd', input: z.object({}), execute: () => 1 })

describe('findDrift', () => {
  it('finds nothing where nothing of the definition changed, whatever the worker added', async () => {
    expect(await driftOf(testAgent(), testAgent())).toEqual([])
  })

  it.each([
    ['instructions', { instructions: 'Other.' }, 'instructions', 'You are under test.', 'Other.'],
    ['the model', { model: 'new' }, 'model', 'test-model', 'new'],
    ['a limit', { limits: { maxSteps: 12 } }, 'limits.maxSteps', 8, 12],
    ['a limit more', { limits: { maxTokens: 5 } }, 'limits.maxTokens', undefined, 5],
    ['a setting', { modelSettings: { seed: 1 } }, 'modelSettings.seed', undefined, 1],
    ['onLimit', { onLimit: 'fail' as const }, 'onLimit', 'answer', 'fail'],
  ])('tells %s, before and now', async (_, options, path, recorded, now) => {
    expect(await driftOf(testAgent(), testAgent(options))).toEqual([{ path, recorded, now }])
  })

  it('tells tools that came and went, not the place in the list', async () => {
    const drift = await driftOf(testAgent(), testAgent({ tools: [other, lookup] }))
    expect(drift).toEqual([
      {
        path: 'tools.other',
        recorded: undefined,
        now: expect.objectContaining({ description: 'd' }),
      },
    ])
    const [gone] = await driftOf(testAgent({ tools: [lookup, other] }), testAgent())
    expect(gone).toMatchObject({ path: 'tools.other', now: undefined })
  })

  it('tells the field of a schema that changed', async () => {
    const changed = defineTool({
      ...{ name: 'lookup', annotations: { readOnlyHint: true }, execute: () => 1 },
      description: 'Use when the test asks for something by its id.',
      input: z.object({ id: z.number() }),
    })
    expect(await driftOf(testAgent(), testAgent({ tools: [changed] }))).toEqual([
      { path: 'tools.lookup.parameters.properties.id.type', recorded: 'string', now: 'number' },
    ])
  })

  it("makes instructions of the run's own context", async () => {
    const agent = testAgent({
      context: z.object({ plan: z.string() }),
      instructions: (context: unknown) => `Plan: ${(context as { plan: string }).plan}.`,
    })
    const recorded = recordedOf(agent, { plan: 'gold' })
    expect(await findDrift(recorded, agent, { context: { plan: 'gold' } })).toEqual([])
    expect(await findDrift(recorded, agent, { context: { plan: 'free' } })).toEqual([
      { path: 'instructions', recorded: 'Plan: gold.', now: 'Plan: free.' },
    ])
    const [unfit] = await findDrift(recorded, agent, { context: {} })
    expect(unfit?.now).toMatch(/^\(the run's context does not fit: /)
  })

  it('names models as the workers of today do', async () => {
    const agent = testAgent({ model: ['test-model', 'second'] })
    const renamed = { ...agent.manifest, model: 'here', fallbackModels: undefined }
    const recorded = JSON.parse(JSON.stringify({ ...recordedOf(agent), ...renamed }))
    expect(await findDrift(recorded, agent, { context: null, modelName: () => 'here' })).toEqual([])
  })
})
