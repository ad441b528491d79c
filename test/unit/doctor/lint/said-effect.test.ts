import { expect, it } from 'vitest'
import { saidEffect } from '../../../../src/doctor/lint/said-effect.js'
import { tool } from './tools.js'

it.each([
  [{}, 1],
  [{ readOnlyHint: false }, 1],
  [{ openWorldHint: true }, 1],
  [{ readOnlyHint: true }, 0],
  [{ idempotentHint: false }, 0],
  [{ idempotentHint: true }, 0],
  [{ destructiveHint: false }, 0],
  [{ destructiveHint: true }, 0],
])('annotations %j: %i warnings', (annotations, count) => {
  expect(saidEffect.check([tool({ annotations })])).toHaveLength(count)
})
