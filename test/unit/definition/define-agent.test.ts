import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../../../src/definition/define-agent.js'
import { defineTool } from '../../../src/definition/define-tool.js'
import { DefinitionError } from '../../../src/definition/definition-error.js'

const good = { name: 'after-sales', instructions: 'Help customers.', model: 'gpt-4o-mini' }

function tool(name: string, activityType = name) {
  return defineTool({
    name,
    activityType,
    description: `Use ${name} in tests.`,
    input: z.object({}),
    execute: () => null,
  })
}

/** Defines an agent from options that TypeScript would not let through. */
function define(changes: object) {
  return defineAgent({ ...good, ...changes })
}

describe('an agent', () => {
  test('has the documented defaults', () => {
    expect(defineAgent(good)).toEqual({
      name: 'after-sales',
      model: 'gpt-4o-mini',
      limits: { maxSteps: 8 },
      context: undefined,
      tools: [],
      instructionsFor: expect.any(Function),
      manifest: {
        agent: 'after-sales',
        model: 'gpt-4o-mini',
        modelSettings: {},
        tools: [],
        limits: { maxSteps: 8 },
        onLimit: 'answer',
        onToolFailure: 'observe',
        memory: {
          summary: { keepMessages: 6, aboveTokens: 3_000, maxWords: 100 },
          turns: 10,
        },
        parallel: true,
        modelTimeoutMs: 300_000,
        modelMaximumAttempts: 6,
        modelTotalMs: 600_000,
      },
    })
  })

  test('keeps what its options say', () => {
    const options = {
      modelSettings: { temperature: 0, topP: 1, maxTokens: 500, seed: -1, stop: ['END'] },
      limits: { maxSteps: 3 },
      onLimit: 'fail',
      onToolFailure: 'fail',
      parallel: false,
    }
    const changes = { modelTimeout: 1500, modelRetry: { maximumAttempts: 2 } }
    expect(define({ ...options, ...changes }).manifest).toMatchObject({
      ...options,
      modelTimeoutMs: 1500,
      modelMaximumAttempts: 2,
    })
  })

  test('takes the manifests of its tools, in their order', () => {
    const [b, a] = [tool('b'), tool('a')]
    const agent = define({ tools: [b, a] })
    expect(agent.tools).toEqual([b, a])
    expect(agent.manifest.tools).toEqual([b.manifest, a.manifest])
  })

  test('keeps its context schema for the worker', () => {
    const context = z.object({ customerId: z.string() })
    expect(define({ context }).context).toBe(context)
  })

  test('has a manifest that survives JSON', () => {
    const { manifest } = define({ tools: [tool('a')] })
    expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest)
  })

  test('has no half surrogate pair in its instructions', () => {
    expect(define({ instructions: 'Help \ude00' }).instructionsFor(null)).toBe('Help \ufffd')
  })
})

describe('an option that is wrong is named', () => {
  test.each<[string, object]>([
    ['name', { name: '' }],
    ['name', { name: 'after sales' }],
    ['name', { name: 'x'.repeat(65) }],
    ['name', { name: 7 }],
    ['instructions', { instructions: ' ' }],
    ['instructions', { instructions: undefined }],
    ['instructions', { instructions: 7 }],
    ['strategies.0.when', { strategies: [{ name: 'a', when: ' ', instructions: 'b' }] }],
    ['strategies.0.name', { strategies: [{ name: 'None', when: 'b', instructions: 'c' }] }],
    ['model', { model: '' }],
    ['model', { model: undefined }],
    ['modelSettings.temperature', { modelSettings: { temperature: -0.1 } }],
    ['modelSettings.temperature', { modelSettings: { temperature: Number.NaN } }],
    ['modelSettings.topP', { modelSettings: { topP: 0 } }],
    ['modelSettings.topP', { modelSettings: { topP: 1.1 } }],
    ['modelSettings.maxTokens', { modelSettings: { maxTokens: 0 } }],
    ['modelSettings.maxTokens', { modelSettings: { maxTokens: 1.5 } }],
    ['modelSettings.seed', { modelSettings: { seed: 0.5 } }],
    ['modelSettings.stop', { modelSettings: { stop: 'END' } }],
    ['modelSettings.stop.0', { modelSettings: { stop: [''] } }],
    ['modelSettings', { modelSettings: { temprature: 1 } }],
    ['modelTimeout', { modelTimeout: 'for ever' }],
    ['modelTimeout', { modelTimeout: 0 }],
    ['modelTimeout', { modelTimeout: null }],
    ['modelRetry.maximumAttempts', { modelRetry: { maximumAttempts: 0 } }],
    ['modelRetry', { modelRetry: { attempts: 1 } }],
    ['context', { context: { customerId: 'string' } }],
    ['tools', { tools: tool('a') }],
    ['tools.1', { tools: [tool('a'), { name: 'b' }] }],
    ['tools.0', { tools: [null] }],
    ['limits.maxSteps', { limits: { maxSteps: 0 } }],
    ['limits.maxSteps', { limits: { maxSteps: -1 } }],
    ['limits.maxSteps', { limits: { maxSteps: 2.5 } }],
    ['limits.maxSteps', { limits: { maxSteps: '8' } }],
    ['limits.maxSteps', { limits: { maxSteps: Number.POSITIVE_INFINITY } }],
    ['limits', { limits: { steps: 8 } }],
    ['onLimit', { onLimit: 'stop' }],
    ['onToolFailure', { onToolFailure: 'retry' }],
    ['parallel', { parallel: 'yes' }],
  ])('%s in %j', (path, changes) => {
    const owner = `agent ${JSON.stringify('name' in changes ? changes.name : good.name)}`
    expect(() => define(changes)).toThrow(DefinitionError)
    expect(() => define(changes)).toThrow(`${owner}: ${path}: `)
  })

  test('an unknown one too', () => {
    expect(() => define({ maxSteps: 3 })).toThrow(/^agent "after-sales": .*maxSteps/)
  })

  test.each([undefined, null, 'agent'])('even when there are none: %j', (options) => {
    expect(() => defineAgent(options as unknown as typeof good)).toThrow(DefinitionError)
  })
})

describe('two tools of one name', () => {
  test('are refused, with the place of the second', () => {
    expect(() => define({ tools: [tool('a'), tool('b'), tool('a')] })).toThrow(
      'agent "after-sales": tools.2: a second tool named "a"',
    )
  })

  test('are refused even with activity types of their own: the model could not tell them apart', () => {
    expect(() => define({ tools: [tool('a'), tool('a', 'other')] })).toThrow(DefinitionError)
  })

  test('are refused when they are the same tool', () => {
    const one = tool('a')
    expect(() => define({ tools: [one, one] })).toThrow('tools.1: a second tool named "a"')
  })

  test('are refused among strategies too', () => {
    const twin = { name: 'a', when: 'b', instructions: 'c' }
    expect(() => define({ strategies: [twin, twin] })).toThrow(
      'strategies.1: a second strategy named "a"',
    )
  })

  test('may serve two agents', () => {
    const one = tool('a')
    expect(() => [define({ tools: [one] }), define({ name: 'other', tools: [one] })]).not.toThrow()
  })
})
