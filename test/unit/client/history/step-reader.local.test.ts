import { defaultFailureConverter, defaultPayloadConverter, type Payload } from '@temporalio/common'
import { beforeEach, describe, expect, it } from 'vitest'
import type { HistoryEvent } from '../../../../src/client/history/read-events.js'
import type { Step } from '../../../../src/client/history/step.js'
import { StepReader } from '../../../../src/client/history/step-reader.js'
import type { ModelReply } from '../../../../src/contract/reply.js'
import { manifestOf, toolOf } from '../../agent/manifests.js'
import { eventMaker } from './events.js'

const CONVERTER = {
  payloadConverter: defaultPayloadConverter,
  failureConverter: defaultFailureConverter,
  payloadCodecs: [],
}

let reader: StepReader
let make: ReturnType<typeof eventMaker>

beforeEach(() => {
  reader = new StepReader(CONVERTER)
  make = eventMaker()
})

async function take(...events: readonly HistoryEvent[]): Promise<Step[]> {
  const changed: Step[] = []
  for (const event of events) changed.push(...(await reader.take(event)))
  return changed
}

/** The events of a model call that asks for calls of these tools. */
function asks(
  step: number,
  names: readonly string[],
  more: object = {},
  args = {},
): HistoryEvent[] {
  const calls = names.map((name) => ({ name, args }))
  const reply: ModelReply = { text: '', calls, finish: 'stop', tokens: null }
  const input = { turn: 1, step, count: 1, digest: 'd', ...more }
  const { id, event } = make.scheduled('callModel', input)
  return [event, make.started(id), make.completed(id, reply)]
}

describe('a local tool', () => {
  const data = {
    activity_type: 'lookup',
    attempt: 2,
    original_schedule_time: { seconds: 10, nanos: 500_000_000 },
    complete_time: { seconds: 10, nanos: 750_000_000 },
  }

  it('ends with its marker, which tells place, time and attempts', async () => {
    await take(...asks(1, ['lookup', 'lookup']))
    const at = { turn: 1, step: 1, call: 2 }
    const [step] = await take(make.localTool(data, { result: { text: 'shipped', at } }))
    expect(step?.calls).toMatchObject([
      { status: 'running' },
      { status: 'ok', observation: 'shipped', ms: 250, attempts: 2 },
    ])
    const first = { text: 'no order', error: true, at: { ...at, call: 1 } }
    await take(make.localTool({ ...data, attempt: 'x', complete_time: null }, { result: first }))
    expect(reader.steps[0]).toMatchObject({
      status: 'done',
      calls: [{ status: 'error', observation: 'no order', ms: 0, attempts: 1 }, { status: 'ok' }],
    })
  })

  it('has its times as text too', async () => {
    await take(...asks(1, ['lookup']))
    const times = {
      original_schedule_time: '2026-01-01T00:00:00.100Z',
      complete_time: '2026-01-01T00:00:00.350Z',
    }
    const at = { turn: 1, step: 1, call: 1 }
    await take(make.localTool({ ...data, ...times }, { result: { text: 'x', at } }))
    expect(reader.steps[0]?.calls).toMatchObject([{ ms: 250 }])
  })

  it('keeps what was cut for read_more', async () => {
    await take(...asks(1, ['lookup']))
    const result = { text: 'cut', rest: 'the rest', at: { turn: 1, step: 1, call: 1 } }
    await take(make.localTool(data, { result }))
    await take(...asks(2, ['read_more'], {}, { id: '001000101', page: 1 }))
    expect(reader.steps[1]?.calls[0]?.observation).toContain('\nthe rest')
  })

  it('that failed is the first call of its type that is still running', async () => {
    const tools = [toolOf('lookup', { activityType: 'shop.lookup', local: true }), toolOf('list')]
    await take(make.marked(manifestOf({ tools })))
    await take(...asks(1, ['list', 'lookup', 'lookup']))
    const failed = { ...data, activity_type: 'shop.lookup' }
    await take(make.localTool(failed, { failure: 'lookup threw TypeError' }))
    expect(reader.steps[0]?.calls).toMatchObject([
      { status: 'running' },
      { status: 'error', observation: 'lookup threw TypeError', attempts: 2, ms: 250 },
      { status: 'running' },
    ])
  })

  it('is none of a marker that tells of something else', async () => {
    expect(await take(make.localTool({}, { failure: 'x' }))).toEqual([])
    await take(...asks(1, ['lookup']))
    expect(await take(make.localTool({ activity_type: 'prepareTurn' }, { failure: 'x' }))).toEqual(
      [],
    )
    expect(
      await take(
        make.localTool(data, { result: { text: 'x', at: { turn: 1, step: 9, call: 1 } } }),
      ),
    ).toEqual([])
    expect(reader.steps[0]?.status).toBe('calling_tools')
  })

  it('is read through a codec, which has not seen what Temporal itself wrote', async () => {
    const flipped = (data: Payload['data']) => (data ?? new Uint8Array()).map((byte) => byte ^ 0xff)
    const mark = Buffer.from('flipped')
    const codec = {
      encode: async (all: Payload[]) =>
        all.map((one) => ({ metadata: { ...one.metadata, mark }, data: flipped(one.data) })),
      // A codec that takes everything for its own.
      decode: async (all: Payload[]) => all.map((one) => ({ ...one, data: flipped(one.data) })),
    }
    reader = new StepReader({ ...CONVERTER, payloadCodecs: [codec] })
    const encoded = async (event: HistoryEvent): Promise<HistoryEvent> => {
      const marker = event.markerRecordedEventAttributes
      const result = marker?.details?.['result']?.payloads
      const payloads = await codec.encode((result ?? []) as Payload[])
      return {
        ...event,
        markerRecordedEventAttributes: {
          ...marker,
          details: { ...marker?.details, result: { payloads } },
        },
      }
    }
    const model = { turn: 1, step: 1, count: 1, digest: 'd' }
    const { id, event } = make.scheduled('callModel', model)
    const reply = { text: '', calls: [{ name: 'lookup', args: {} }], finish: 'stop', tokens: null }
    const completed = make.completed(id, reply)
    for (const [one, attributes] of [
      [event, event.activityTaskScheduledEventAttributes?.input],
      [completed, completed.activityTaskCompletedEventAttributes?.result],
    ] as const) {
      if (attributes)
        attributes.payloads = await codec.encode((attributes.payloads ?? []) as Payload[])
      await reader.take(one)
    }
    const at = { turn: 1, step: 1, call: 1 }
    await reader.take(await encoded(make.localTool(data, { result: { text: 'shipped', at } })))
    expect(reader.steps[0]?.calls).toMatchObject([{ observation: 'shipped', ms: 250, attempts: 2 }])
  })
})
