import { expect, it } from 'vitest'
import { afterSales } from '../../../../examples/after-sales/agents.js'
import { lintAgent } from '../../../../src/doctor/lint/index.js'
import { tool } from './tools.js'

it('a tool that says all is not complained of', () => {
  expect(lintAgent({ agent: 'a', tools: [tool()] })).toEqual([])
})

it('the tools of the example are not complained of', () => {
  expect(afterSales.tools.length).toBeGreaterThan(3)
  expect(lintAgent(afterSales.manifest)).toEqual([])
})

it('a bad tool is named with its agent and every rule that it breaks', () => {
  const bad = tool({ name: 'refund', description: 'Refunds.', annotations: {} })
  const warnings = lintAgent({ agent: 'support', tools: [tool(), bad] })
  expect(warnings.map(({ agent, tool: name, rule }) => [agent, name, rule])).toEqual([
    ['support', 'refund', 'says-when'],
    ['support', 'refund', 'description-length'],
    ['support', 'refund', 'said-effect'],
  ])
  for (const { text, fix } of warnings) expect(`${text}${fix}`).not.toContain('undefined')
})
