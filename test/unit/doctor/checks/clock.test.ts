import { describe, expect, it } from 'vitest'
import { clock } from '../../../../src/doctor/checks/clock.js'
import { grpcError } from '../../client/search-attributes/scripted-server.js'
import { subject } from '../subjects.js'

async function look(aheadMs: number, precisionMs = 3) {
  const of = subject({ clock: async () => ({ aheadMs, precisionMs }) })
  return (await clock.look(of, new AbortController().signal))[0]
}

describe('the clock of this machine', () => {
  it.each([
    [0.2, 'this machine is 1 ms ahead of the server, give or take 3 ms'],
    [-800, 'this machine is 800 ms behind the server, give or take 3 ms'],
  ])('%d ms ahead is ok', async (ms, text) => {
    expect(await look(ms)).toEqual({ status: 'ok', text })
  })

  it.each([5_000, -5_000])('%d ms ahead is a warning', async (ms) => {
    expect(await look(ms)).toMatchObject({ status: 'warn', fix: expect.stringContaining('NTP') })
  })

  it('is given the benefit of a slow answer', async () => {
    expect((await look(1_500, 900))?.status).toBe('ok')
  })

  it('is not known where nobody may poll', async () => {
    const of = subject({ clock: () => Promise.reject(grpcError(7, 'no')) })
    expect(await clock.look(of, new AbortController().signal)).toMatchObject([{ status: 'skip' }])
  })
})
