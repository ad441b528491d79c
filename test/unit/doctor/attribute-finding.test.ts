import { expect, it } from 'vitest'
import type { SetUpAttribute } from '../../../src/client/search-attributes/register-attributes.js'
import { attributeFinding } from '../../../src/doctor/attribute-finding.js'

const SELF_HOSTED = { address: '127.0.0.1:7233', namespace: 'shop' }
const CLOUD = { address: 'shop.a1b2c.tmprl.cloud:7233', namespace: 'shop.a1b2c' }

function finding(more: Partial<SetUpAttribute>, place = SELF_HOSTED) {
  return attributeFinding({ name: 'PerdureSteps', type: 'Int', status: 'there', ...more }, place)
}

it.each(['there', 'registered'] as const)('%s is ok and needs nothing', (status) => {
  expect(finding({ status })).toMatchObject({ check: 'PerdureSteps', status: 'ok' })
  expect(finding({ status }).fix).toBeUndefined()
})

it('another type names both, and how to free the name', () => {
  const { status, text, fix } = finding({ status: 'other_type', found: 'Keyword' })
  expect(status).toBe('fail')
  expect(text).toBe('is Keyword, and must be Int')
  expect(fix).toContain('search-attribute remove --namespace shop --name PerdureSteps')
  expect(finding({ status: 'other_type' }, CLOUD).fix).toContain('rename')
})

it('no permission tells who can do it, and how', () => {
  const refused = { status: 'not_allowed', why: 'Request unauthorized.' } as const
  expect(finding(refused).text).toContain('Request unauthorized.')
  expect(finding(refused).fix).toContain('create --namespace shop --name PerdureSteps --type Int')
  expect(finding(refused, CLOUD).fix).toContain(
    'tcld namespace search-attributes add --namespace shop.a1b2c --search-attribute "PerdureSteps=Int"',
  )
})

it('no room tells the limit of SQL visibility', () => {
  expect(finding({ status: 'no_room', why: 'cannot' }).fix).toContain('3 of type Int')
})

it.each(['failed', 'not_visible'] as const)('%s can be tried again', (status) => {
  expect(finding({ status, why: 'disk full' }).status).toBe('fail')
  expect(finding({ status, why: 'disk full' }).fix).toContain('again')
})
