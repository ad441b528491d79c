import { expect, test } from 'vitest'
import { firstVerdict, type StopRule } from '../../../../src/agent/stop-rules/stop-rule.js'
import { stateOf } from '../manifests.js'

const NOW = () => 0
const silent: StopRule = () => null
const first: StopRule = () => ({ reason: 'repeats', message: 'first' })
const second: StopRule = () => ({ reason: 'tool_errors', message: 'second' })

test('the first rule that fires wins', () => {
  expect(firstVerdict([silent, first, second], stateOf(), NOW)?.message).toBe('first')
})

test('without a rule that fires there is no verdict', () => {
  expect(firstVerdict([silent, silent], stateOf(), NOW)).toBeNull()
  expect(firstVerdict([], stateOf(), NOW)).toBeNull()
})
