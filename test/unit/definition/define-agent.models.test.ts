import { describe, expect, test } from 'vitest'
import { defineAgent } from '../../../src/definition/define-agent.js'
import { DefinitionError } from '../../../src/definition/definition-error.js'

const good = { name: 'after-sales', instructions: 'Help customers.', model: 'gpt-4o-mini' }

function define(changes: object) {
  return defineAgent({ ...good, ...changes })
}

describe('the models of an agent', () => {
  test('may be one: there is no fallback then', () => {
    for (const model of ['gpt', ['gpt']]) {
      const agent = define({ model })
      expect(agent.model).toBe('gpt')
      expect(agent.manifest.model).toBe('gpt')
      expect(agent.manifest).not.toHaveProperty('fallbackModels')
    }
  })

  test('may be several: the first, and its fallbacks in their order', () => {
    const agent = define({ model: ['gpt-4o-mini', 'local-qwen', 'other'] })
    expect(agent.model).toBe('gpt-4o-mini')
    expect(agent.manifest).toMatchObject({
      model: 'gpt-4o-mini',
      fallbackModels: ['local-qwen', 'other'],
    })
  })

  test('have names without spaces around them', () => {
    expect(define({ model: [' a ', 'b\n'] }).manifest).toMatchObject({
      model: 'a',
      fallbackModels: ['b'],
    })
  })

  test.each([[], [''], ['a', ' '], ['a', 7], [['a']], 7, {}, null])('are not %j', (model) => {
    expect(() => define({ model })).toThrow(DefinitionError)
    expect(() => define({ model })).toThrow(/^agent "after-sales": model/)
  })
})

describe('the time of a model call', () => {
  test.each([
    ['30s', 30_000],
    ['1 hour', 3_600_000],
    [1_500, 1_500],
  ])('may be %s', (totalTime, ms) => {
    const { manifest } = define({ modelRetry: { totalTime } })
    expect(manifest).toMatchObject({ modelTotalMs: ms, modelMaximumAttempts: 6 })
  })

  test.each(['for ever', 0, -1, '', Number.NaN, null])('is not %j', (totalTime) => {
    const attempt = () => define({ modelRetry: { totalTime } })
    expect(attempt).toThrow(DefinitionError)
    expect(attempt).toThrow('agent "after-sales": modelRetry.totalTime: ')
  })
})

describe('calls that a model writes as text', () => {
  test('are taken for calls only where the agent says so', () => {
    expect(define({ parseTextToolCalls: true }).manifest.parseTextToolCalls).toBe(true)
    for (const changes of [{}, { parseTextToolCalls: false }]) {
      expect(define(changes).manifest).not.toHaveProperty('parseTextToolCalls')
    }
  })

  test.each(['yes', 1, null])('are no matter of %j', (parseTextToolCalls) => {
    expect(() => define({ parseTextToolCalls })).toThrow(
      'agent "after-sales": parseTextToolCalls: ',
    )
  })
})
