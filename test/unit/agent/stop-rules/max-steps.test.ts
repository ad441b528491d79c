import { expect, test } from 'vitest'
import { maxSteps } from '../../../../src/agent/stop-rules/max-steps.js'
import { stateOf } from '../manifests.js'

const NOW = () => 0

test('is silent while one more model call is allowed', () => {
  expect(maxSteps({ ...stateOf({ maxSteps: 3 }), steps: 2 }, NOW)).toBeNull()
})

test.each([3, 4])('fires at %i steps of 3', (steps) => {
  expect(maxSteps({ ...stateOf({ maxSteps: 3 }), steps }, NOW)).toEqual({
    reason: 'max_steps',
    message: 'The limit of 3 steps is reached.',
  })
})
