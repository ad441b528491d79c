import { expect, it } from 'vitest'
import { descriptionLength } from '../../../../src/doctor/lint/description-length.js'
import { tool } from './tools.js'

it('below 40 characters is too short', () => {
  const texts = ['x'.repeat(39), 'x'.repeat(40), `  ${'x'.repeat(39)}  `]
  const tools = texts.map((description, i) => tool({ name: `t${i}`, description }))
  expect(descriptionLength.check(tools).map((warning) => warning.tool)).toEqual(['t0', 't2'])
  expect(descriptionLength.check(tools)[0]?.text).toContain('39 characters')
})

it('a script that needs fewer characters is given fewer', () => {
  const description = '当客户询问订单的状态时使用。'
  expect(descriptionLength.check([tool({ description })])).toEqual([])
})
