import type { Client } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { describe, expect, it } from 'vitest'
import { workers } from '../../../../src/doctor/checks/workers.js'
import { subject } from '../subjects.js'

interface Seen {
  readonly workflow?: Readonly<Record<string, number>>
  readonly activity?: Readonly<Record<string, number>>
  /** In the answer that holds all partitions. */
  readonly elsewhere?: Readonly<Record<string, number>>
}

/** Pollers by identity, with the seconds since they were seen; a server without the newer answer by default. */
function client({ workflow = {}, activity = {}, elsewhere }: Seen): Client {
  const now = Date.now()
  const infos = (seen: Readonly<Record<string, number>>) =>
    Object.entries(seen).map(([identity, ago]) => ({
      identity,
      lastAccessTime: msToTs(now - ago * 1_000),
    }))
  const describeTaskQueue = async (request: { apiMode?: number; taskQueueType?: number }) => {
    if (request.apiMode === undefined) {
      return { pollers: infos(request.taskQueueType === 1 ? workflow : activity) }
    }
    if (elsewhere === undefined) throw new Error('unknown field')
    const pollers = infos(elsewhere)
    return { versionsInfo: { '': { typesInfo: { 1: { pollers }, 2: { pollers } } } } }
  }
  return { workflowService: { describeTaskQueue } } as unknown as Client
}

async function look(seen: Seen, aheadMs = 0) {
  const clock = async () => ({ aheadMs, precisionMs: 1 })
  const signal = new AbortController().signal
  return (await workers.look(subject({ client: client(seen), clock }), signal))[0]
}

describe('workers', () => {
  it('are counted by identity, over both kinds of tasks and all partitions', async () => {
    const seen = { workflow: { a: 1 }, activity: { a: 50 }, elsewhere: { b: 5 } }
    expect(await look(seen)).toEqual({
      status: 'ok',
      text: '2 workers poll task queue "perdure": a, b',
    })
  })

  it('are named up to five', async () => {
    const seen = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`w${i}`, 1]))
    const { text } = (await look({ workflow: seen, activity: seen })) ?? {}
    expect(text).toMatch(/^7 workers poll .*w4 and 2 more$/)
  })

  it('that polled minutes ago are gone, and the time is told', async () => {
    const found = await look({ workflow: { a: 200 }, activity: { a: 180 } })
    expect(found?.status).toBe('fail')
    expect(found?.text).toBe('no worker polls task queue "perdure" (the last was seen 180 s ago)')
  })

  it('are judged by the clock of the server', async () => {
    expect((await look({ workflow: { a: 1 }, activity: { a: 1 } }, -300_000))?.status).toBe('fail')
    const behind = { workflow: { a: 301 }, activity: { a: 301 } }
    expect((await look(behind, 300_000))?.status).toBe('ok')
  })

  it('for one kind of tasks only are too few', async () => {
    const found = await look({ workflow: { a: 1 } })
    expect(found?.status).toBe('fail')
    expect(found?.text).toContain('none for activity tasks')
  })
})
