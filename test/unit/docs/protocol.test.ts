import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FAILURE } from '../../../src/contract/failures.js'
import {
  DEFAULT_TASK_QUEUE,
  MEMO_KEY,
  QUERY,
  SEARCH_ATTRIBUTES,
  WORKFLOW_TYPE,
} from '../../../src/contract/names.js'
import type { FailureReason, LimitReason, StopReason } from '../../../src/contract/run.js'
import { misfits, PROTOCOL } from '../../kit/protocol.js'

const TEXT = readFileSync(new URL('../../../docs/protocol.md', import.meta.url), 'utf8')
const EXAMPLES = [...TEXT.matchAll(/^```json (\w+)\n(.*?)^```$/gms)].map(
  ([, name = '', json = '']) => [name, JSON.parse(json)] as const,
)

// By type, so that a reason which is added must be added here, and then to the document.
const LIMITS = {
  interrupted: 0,
  max_steps: 0,
  repeats: 0,
  tool_errors: 0,
  token_budget: 0,
  cost_budget: 0,
  deadline: 0,
} satisfies Record<LimitReason, 0>
const STOPS = {
  ...LIMITS,
  answered: 0,
  refusal: 0,
  content_filter: 0,
  empty_reply: 0,
  context_length: 0,
} satisfies Record<StopReason, 0>
const FAILURES = {
  model_error: 0,
  tool_failure: 0,
  definition_error: 0,
  state_too_large: 0,
} satisfies Record<FailureReason, 0>

/** The values that a schema's field may have. */
function valuesOf(schema: string, field: string): string[] {
  const { properties } = PROTOCOL.$defs[schema] as unknown as {
    properties: Record<string, { enum: string[] }>
  }
  return (properties[field]?.enum ?? []).toSorted()
}

describe('docs/protocol.md', () => {
  it.each(EXAMPLES)('has an example of %s that fits', (name, example) => {
    expect(misfits(name, example)).toEqual([])
  })

  it('has an example of every schema but those inside of others', () => {
    const shown = EXAMPLES.map(([name]) => name)
    expect([...shown, 'Usage'].toSorted()).toEqual(Object.keys(PROTOCOL.$defs).toSorted())
  })

  it.each([
    WORKFLOW_TYPE,
    DEFAULT_TASK_QUEUE,
    MEMO_KEY,
    ...Object.values(QUERY),
    FAILURE.run,
    FAILURE.limit,
    FAILURE.toolError,
    ...Object.keys(STOPS),
  ])('names %s', (name) => {
    expect(TEXT).toContain(`\`${name}\``)
  })

  it('lists the search attributes with their types', () => {
    for (const [name, type] of Object.entries(SEARCH_ATTRIBUTES)) {
      expect(TEXT).toContain(`| \`${name}\` | ${type} |`)
    }
  })
})

describe('docs/protocol.schema.json', () => {
  it('knows every reason', () => {
    expect(valuesOf('RunResult', 'stopReason')).toEqual(Object.keys(STOPS).toSorted())
    expect(valuesOf('RunFailureDetail', 'reason')).toEqual(Object.keys(FAILURES).toSorted())
    expect(valuesOf('LimitFailureDetail', 'reason')).toEqual(Object.keys(LIMITS).toSorted())
  })

  it('is told apart from what it does not allow', () => {
    expect(misfits('RunInput', { agent: 'a' })).not.toEqual([])
    expect(misfits('RunProgress', { agent: 'a', extra: 1 })).not.toEqual([])
    expect(misfits('Nothing', {})).not.toEqual([])
  })
})
