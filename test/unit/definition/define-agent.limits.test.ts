import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from '../../../src/definition/define-agent.js'
import { defineTool } from '../../../src/definition/define-tool.js'
import { DefinitionError } from '../../../src/definition/definition-error.js'

const good = { name: 'after-sales', instructions: 'Help customers.', model: 'gpt-4o-mini' }
const tool = defineTool({
  name: 'lookup',
  description: 'Use to look up.',
  input: z.object({}),
  execute: () => null,
})

function define(changes: object) {
  return defineAgent({ ...good, ...changes })
}

describe('the limits of an agent', () => {
  test('are steps alone by default', () => {
    expect(define({}).limits).toEqual({ maxSteps: 8 })
    expect(define({ limits: {} }).limits).toEqual({ maxSteps: 8 })
  })

  test('are what its options say, the deadline in milliseconds', () => {
    const limits = { maxSteps: 3, maxTokens: 20_000, maxCostUsd: 0.05 }
    const { manifest } = define({ limits: { ...limits, deadline: '2 minutes' } })
    expect(manifest.limits).toEqual({ ...limits, deadlineMs: 120_000 })
  })

  test.each<[string, object]>([
    ['limits.maxTokens', { maxTokens: 0 }],
    ['limits.maxTokens', { maxTokens: 1.5 }],
    ['limits.maxCostUsd', { maxCostUsd: 0 }],
    ['limits.maxCostUsd', { maxCostUsd: -1 }],
    ['limits.maxCostUsd', { maxCostUsd: Number.POSITIVE_INFINITY }],
    ['limits.maxCostUsd', { maxCostUsd: '1' }],
    ['limits.deadline', { deadline: 'soon' }],
    ['limits.deadline', { deadline: 0 }],
    ['limits.deadline', { deadline: {} }],
    ['limits', { deadlineMs: 5 }],
  ])('that are wrong are named: %s in %j', (path, limits) => {
    expect(() => define({ limits })).toThrow(DefinitionError)
    expect(() => define({ limits })).toThrow(`agent "after-sales": ${path}: `)
  })
})

describe('read_more', () => {
  test('is there for agents with tools, unless they say no', () => {
    expect(define({ tools: [tool] }).manifest.readMore).toBe(true)
    expect(define({ tools: [tool], readMore: true }).manifest.readMore).toBe(true)
    expect(define({ tools: [tool], readMore: false }).manifest).not.toHaveProperty('readMore')
    expect(define({ readMore: true }).manifest).not.toHaveProperty('readMore')
  })

  test('is yes or no', () => {
    expect(() => define({ readMore: 'yes' })).toThrow('agent "after-sales": readMore: ')
  })
})
