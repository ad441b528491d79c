import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import { describe, expect, it } from 'vitest'
import type { AgentReference, StartOptions } from '../../../src/client/start-run.js'
import { startRun } from '../../../src/client/start-run.js'
import type { JsonObject } from '../../../src/contract/json.js'
import { type ClientScript, scriptedClient } from './scripted-client.js'

const AGENT: AgentReference = { name: 'support', model: 'gpt-x', limits: { maxSteps: 5 } }

/** Starts with a fake client; gives the run and what reached the client. */
async function start(
  options: Partial<StartOptions> = {},
  { agent = 'support', ...script }: ClientScript & { agent?: string | AgentReference } = {},
) {
  const { client, starts } = scriptedClient(script)
  const run = await startRun(client, 'queue', agent, { input: 'hello', ...options })
  const [call] = starts
  if (call === undefined || starts.length > 1) throw new Error(`${starts.length} starts`)
  return { run, call }
}

async function digestOf(
  options: Partial<StartOptions>,
  agent: string | AgentReference = 'support',
) {
  return (await start(options, { agent })).call.memo.perdure.inputDigest
}

describe('a start', () => {
  it('sends agent, input and context to the queue', async () => {
    const { call } = await start({ context: { customerId: 'c1' } })
    expect(call).toMatchObject({
      type: 'agent',
      taskQueue: 'queue',
      args: [{ agent: 'support', input: 'hello', context: { customerId: 'c1' } }],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      priority: {},
    })
  })

  it('makes an id from the name of the agent, another each time', async () => {
    const ids = [(await start()).call.workflowId, (await start()).call.workflowId]
    expect(ids[0]).toMatch(/^support-[0-9a-f-]{36}$/)
    expect(ids[0]).not.toBe(ids[1])
  })

  it('that made the run is not attached', async () => {
    expect((await start({ id: 'ticket-42' })).run).toEqual({
      id: 'ticket-42',
      runId: 'newest',
      attached: false,
    })
  })

  it('sends priority and fairness where they are given', async () => {
    const { call } = await start({ priority: 1, fairnessKey: 'tenant' })
    expect(call.priority).toEqual({ priorityKey: 1, fairnessKey: 'tenant' })
  })

  it('shows agent, model and limits in the UI, and the input in one short line', async () => {
    const input = `line one\n\n  line two ${'x'.repeat(500)}`
    const { call } = await start({ id: 'a', input }, { agent: AGENT })
    expect(call.staticSummary).toMatch(/^support · line one line two x+…$/)
    expect(call.staticSummary.length).toBeLessThanOrEqual(200)
    expect(call.staticDetails).toContain('gpt-x')
    expect(call.staticDetails).toContain('at most 5 steps')
    expect(call.staticDetails).toContain('perdure show a')
    expect((await start()).call.staticDetails).toContain('**support**')
  })

  it('never shows the context, be it in the memo', async () => {
    const { call } = await start({ context: { customerId: 'hunter2' } }, { agent: AGENT })
    const { args: _, ...shown } = call
    expect(JSON.stringify(shown)).not.toContain('hunter2')
  })
})

describe('a start whose id has a run', () => {
  const other = { agent: 'support', inputDigest: 'other', startId: 's' }
  const closed = new WorkflowExecutionAlreadyStartedError('started', 'ticket-42', 'agent')

  it('attaches to an open one that was started with the same', async () => {
    const { run } = await start(
      { id: 'ticket-42' },
      { memo: (own) => own && { ...own, startId: 'earlier' } },
    )
    expect(run).toEqual({ id: 'ticket-42', runId: 'newest', attached: true })
  })

  it('attaches to a closed one that was started with the same', async () => {
    const { run } = await start(
      { id: 'ticket-42' },
      { startError: closed, memo: (own) => own && { ...own, startId: 'earlier' } },
    )
    expect(run.attached).toBe(true)
  })

  it.each([undefined, closed])('started with something else is a mismatch', async (startError) => {
    const script = { memo: () => other, ...(startError === undefined ? {} : { startError }) }
    await expect(start({ id: 'ticket-42' }, script)).rejects.toMatchObject({
      name: 'InputMismatchError',
      id: 'ticket-42',
    })
  })

  it('that is no run of this package is a mismatch', async () => {
    await expect(start({ id: 'x' }, { memo: () => undefined })).rejects.toMatchObject({
      name: 'InputMismatchError',
    })
  })

  it('makes a new one when that is asked for', async () => {
    const { run, call } = await start({ id: 'a', onExisting: 'new' })
    expect(call).toMatchObject({
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
    })
    expect(run).toEqual({ id: 'a', runId: 'made', attached: false })
  })

  it('makes no new one while it is open', async () => {
    const starting = start({ id: 'a', onExisting: 'new' }, { startError: closed })
    await expect(starting).rejects.toMatchObject({ name: 'RunOpenError', id: 'a', cause: closed })
  })

  it('hands any other error on', async () => {
    const startError = new Error('no connection')
    await expect(start({}, { startError })).rejects.toBe(startError)
  })
})

describe('the digest of the input', () => {
  it('does not hang on key order, on what JSON drops, or on how the agent is given', async () => {
    const one = await digestOf({ context: { a: 1, b: { c: 2, d: 3 } } })
    const dropped = { b: { d: 3, c: 2 }, a: 1, e: undefined } as unknown as JsonObject
    expect(await digestOf({ context: dropped }, AGENT)).toBe(one)
    expect(await digestOf({})).toBe(await digestOf({}))
  })

  it('differs by agent, input and context', async () => {
    const digests = await Promise.all([
      digestOf({}),
      digestOf({}, 'sales'),
      digestOf({ input: 'hello ' }),
      digestOf({ context: {} }),
      digestOf({ context: { a: 1 } }),
      digestOf({ context: { a: '1' } }),
    ])
    expect(new Set(digests).size).toBe(digests.length)
  })
})

describe('bad input is refused before anything is started', () => {
  async function refused(options: object, agent: unknown = 'support') {
    const { client, starts } = scriptedClient()
    const all = { input: 'hello', ...options } as StartOptions
    const error = await startRun(client, 'queue', agent as string, all).catch((e: unknown) => e)
    expect(starts).toEqual([])
    expect(error).toMatchObject({ name: 'InvalidInputError' })
    return String(error)
  }

  it.each(['', ' \n ', undefined, null, 7])('the input %j', async (input) => {
    expect(await refused({ input })).toContain('input')
  })

  it.each(['', { name: undefined }])('the agent %j', async (agent) => {
    expect(await refused({}, agent)).toContain('agent')
  })

  it('more than a megabyte, counted in bytes', async () => {
    expect(await refused({ input: 'ä'.repeat(500_001) })).toContain('bytes')
    expect(await refused({ context: { text: 'x'.repeat(16_000) } })).toContain('16000 at most')
  })

  it('a context that JSON cannot hold', async () => {
    const loop: Record<string, unknown> = {}
    loop['self'] = loop
    for (const context of [loop, { n: 1n }, () => {}]) {
      expect(await refused({ context })).toContain('JSON object')
    }
  })

  it.each([[['a']], ['text'], [7]])('the context %j: it is no object', async (context) => {
    expect(await refused({ context })).toContain('JSON object')
  })
})
