import { expect, test } from 'vitest'
import { maxSteps } from '../../../../src/agent/stop-rules/max-steps.js'
import { stateOf } from '../manifests.js'

test('is silent while one more model call is allowed', () => {
  expect(maxSteps({ ...stateOf({ maxSteps: 3 }), steps: 2 })).toBeNull()
})

test.each([3, 4])('fires at %i steps of 3', (steps) => {
  expect(maxSteps({ ...stateOf({ maxSteps: 3 }), steps })).toEqual({
    reason: 'max_steps',
    message: 'The limit of 3 steps is reached.',
  })
})
