import { describe, expect, it } from 'vitest'
import { registerAttributes } from '../../../../src/client/search-attributes/register-attributes.js'
import { ALL, grpcError, scriptedServer } from './scripted-server.js'

const NAMES = Object.keys(ALL)

function statuses(attributes: readonly { readonly status: string }[]): string[] {
  return attributes.map(({ status }) => status)
}

describe('set-up', () => {
  it('registers what is missing, and nothing the second time', async () => {
    const { options, added } = scriptedServer({ attributes: { PerdureAgent: 'Keyword' } })
    const first = await registerAttributes(options)
    expect(first.map(({ name }) => name)).toEqual(NAMES)
    expect(first[0]).toEqual({ name: 'PerdureAgent', type: 'Keyword', status: 'there' })
    expect(new Set(statuses(first.slice(1)))).toEqual(new Set(['registered']))
    expect(new Set(statuses(await registerAttributes(options)))).toEqual(new Set(['there']))
    expect(added).toEqual(NAMES.slice(1))
  })

  it('leaves one of another type as it is and goes on with the others', async () => {
    const { options, added } = scriptedServer({ attributes: { PerdureSteps: 'Keyword' } })
    const result = await registerAttributes(options)
    expect(result.find(({ name }) => name === 'PerdureSteps')).toEqual({
      name: 'PerdureSteps',
      type: 'Int',
      status: 'other_type',
      found: 'Keyword',
    })
    expect(added).toEqual(NAMES.filter((name) => name !== 'PerdureSteps'))
  })

  it('waits until filters know the new ones', async () => {
    const { options } = scriptedServer({ slowLooks: 2 })
    expect(new Set(statuses(await registerAttributes(options)))).toEqual(new Set(['registered']))
  })

  it('says which are not to be seen when the time is up', async () => {
    const { options } = scriptedServer({ slowLooks: 1_000 })
    const result = await registerAttributes({ ...options, visibleMs: 0 })
    expect(new Set(statuses(result))).toEqual(new Set(['not_visible']))
  })

  it('takes one that somebody else registers at the same time for registered', async () => {
    const raced = scriptedServer({ attributes: ALL })
    const { options } = scriptedServer({ addError: () => grpcError(6, 'already exists') })
    const { listSearchAttributes } = options.operatorService
    let looks = 0
    const result = await registerAttributes({
      ...options,
      ...{ workflowService: raced.options.workflowService },
      operatorService: {
        ...options.operatorService,
        listSearchAttributes: (request: object) =>
          looks++ === 0
            ? listSearchAttributes(request)
            : raced.options.operatorService.listSearchAttributes(request),
      } as typeof options.operatorService,
    })
    expect(new Set(statuses(result))).toEqual(new Set(['registered']))
  })
})

describe('what the server refuses is told', () => {
  it('without permission to add: each that is missing, after one try', async () => {
    const { options, added } = scriptedServer({
      attributes: { PerdureAgent: 'Keyword' },
      addError: () => grpcError(7, 'Request unauthorized.'),
    })
    const [first, ...others] = await registerAttributes(options)
    expect(first?.status).toBe('there')
    for (const one of others) {
      expect(one).toMatchObject({ status: 'not_allowed', why: 'Request unauthorized.' })
    }
    expect(added).toHaveLength(1)
  })

  it.each([7, 12, 16])('without permission to list (%i): found by filters', async (code) => {
    const { options, added } = scriptedServer({
      attributes: { PerdureAgent: 'Keyword', PerdureTokens: 'Text' },
      listError: grpcError(code, 'no'),
    })
    const result = await registerAttributes(options)
    expect(Object.fromEntries(result.map(({ name, status }) => [name, status]))).toMatchObject({
      PerdureAgent: 'there',
      PerdureModel: 'not_allowed',
      PerdureSteps: 'not_allowed',
      PerdureTokens: 'other_type',
    })
    expect(added).toEqual([])
  })

  it('no room for another Int, and the others are registered', async () => {
    const why = 'cannot have more than 3 search attribute of type Int.'
    const { options } = scriptedServer({
      addError: (name) => (ALL[name] === 'Int' ? grpcError(3, why) : undefined),
    })
    for (const { type, status } of await registerAttributes(options)) {
      expect(status).toBe(type === 'Int' ? 'no_room' : 'registered')
    }
  })

  it('any other error, of the one that it was about', async () => {
    const { options } = scriptedServer({
      addError: (name) => (name === 'PerdureAgent' ? grpcError(13, 'disk full') : undefined),
    })
    const [first, second] = await registerAttributes(options)
    expect(first).toMatchObject({ status: 'failed', why: 'disk full' })
    expect(second?.status).toBe('registered')
  })

  it('a server that is not there is an error', async () => {
    const { options } = scriptedServer({ listError: grpcError(14, 'gone') })
    await expect(registerAttributes(options)).rejects.toThrow('gone')
  })
})
