import type { NativeConnection } from '@temporalio/worker'
import { describe, expect, it } from 'vitest'
import { registeredAttributes } from '../../../src/worker/registered-attributes.js'
import { grpcError, scriptedServer } from '../client/search-attributes/scripted-server.js'

function connection(answer: () => Promise<{ customAttributes?: Record<string, number> | null }>) {
  const asked: unknown[] = []
  const fake = {
    operatorService: {
      listSearchAttributes: (request: unknown) => {
        asked.push(request)
        return answer()
      },
    },
  }
  return { connection: fake as unknown as NativeConnection, asked }
}

describe('search attributes', () => {
  it('count where name and type are right', async () => {
    const customAttributes = {
      PerdureAgent: 2,
      PerdureSteps: 3,
      PerdureModel: 1,
      PerdureTokens: 2,
      CustomerId: 2,
    }
    const { connection: fake, asked } = connection(async () => ({ customAttributes }))
    expect(await registeredAttributes(fake, 'ns')).toEqual(['PerdureAgent', 'PerdureSteps'])
    expect(asked).toEqual([{ namespace: 'ns' }])
  })

  it.each([{}, { customAttributes: null }, { customAttributes: {} }])(
    'are none in %j',
    async (answer) => {
      expect(await registeredAttributes(connection(async () => answer).connection, 'ns')).toEqual(
        [],
      )
    },
  )

  it('are none where the server does not tell', async () => {
    const { connection: fake } = connection(() => Promise.reject(new Error('PERMISSION_DENIED')))
    expect(await registeredAttributes(fake, 'ns')).toEqual([])
  })

  it('are found by filters where only administrators may list them', async () => {
    const { options } = scriptedServer({
      attributes: { PerdureAgent: 'Keyword', PerdureTokens: 'Text' },
      listError: grpcError(7, 'Request unauthorized.'),
    })
    const fake = options as unknown as NativeConnection
    expect(await registeredAttributes(fake, 'ns')).toEqual(['PerdureAgent'])
  })
})
