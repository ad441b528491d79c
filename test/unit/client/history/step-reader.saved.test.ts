import { defaultFailureConverter, defaultPayloadConverter } from '@temporalio/common'
import { beforeEach, describe, expect, it } from 'vitest'
import type { HistoryEvent } from '../../../../src/client/history/read-events.js'
import type { Step } from '../../../../src/client/history/step.js'
import { StepReader } from '../../../../src/client/history/step-reader.js'
import { NOTHING_KEPT, OVER_LIMIT } from '../../../../src/contract/activities.js'
import { NO_REST } from '../../../../src/contract/read-more.js'
import type { ModelReply } from '../../../../src/contract/reply.js'
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

function tool(step: number, call: number, result: object): HistoryEvent[] {
  const input = { turn: 1, step, call, args: {}, context: null, origin: 'o' }
  const { id, event } = make.scheduled('lookup', input)
  return [event, make.started(id), make.completed(id, result)]
}

describe('a call that no activity answered', () => {
  it('runs until the next model call tells whose result it had', async () => {
    await take(...asks(1, ['lookup']), ...tool(1, 1, { text: 'shipped' }))
    await take(...asks(2, ['lookup', 'lookup']), ...tool(2, 1, { text: 'other' }))
    expect(reader.steps[1]?.status).toBe('calling_tools')
    const changed = await take(...asks(3, [], { reused: { 2: '1.1.1' } }))
    expect(changed[0]).toMatchObject({ step: 2, status: 'done' })
    expect(reader.steps[1]?.calls).toMatchObject([
      { status: 'ok', observation: 'other' },
      { status: 'cached', observation: 'shipped', ms: 0, attempts: 0 },
    ])
  })

  it('may have the result of a call of its own step', async () => {
    await take(...asks(1, ['lookup', 'lookup']), ...tool(1, 1, { text: 'shipped' }))
    await take(...asks(2, [], { reused: { 2: '1.1.1' } }))
    expect(reader.steps[0]?.calls[1]).toMatchObject({ status: 'cached', observation: 'shipped' })
  })

  it('was refused above the limit of its tool', async () => {
    await take(...asks(1, ['lookup']), ...asks(2, [], { reused: { 1: OVER_LIMIT } }))
    expect(reader.steps[0]).toMatchObject({
      status: 'done',
      calls: [{ status: 'refused', observation: expect.stringContaining('as often as it may') }],
    })
  })

  it('has an empty observation where the history no longer tells', async () => {
    await take(...asks(1, ['lookup']), ...asks(2, [], { reused: { 1: '1.9.1' } }))
    expect(reader.steps[0]?.calls).toMatchObject([{ status: 'cached', observation: '' }])
    await take(...asks(9, [], { reused: { 1: '1.1.1' } }))
    expect(reader.steps).toHaveLength(3)
  })
})

describe('read_more', () => {
  const CUT = { text: 'head … tail', cut: 4_000, rest: 'x'.repeat(3_000) }
  const more = (step: number, args: object) => asks(step, ['read_more'], { readMore: true }, args)

  it('shows the page that the run answered from its own state', async () => {
    await take(...asks(1, ['lookup']), ...tool(1, 1, CUT))
    await take(...more(2, { id: '001000101', page: 2 }))
    expect(reader.steps[1]).toMatchObject({
      status: 'done',
      calls: [
        {
          status: 'ok',
          observation: expect.stringMatching(
            /^\[page 2 of 2 .* 1000 more were not kept\]\nx{1100}$/,
          ),
        },
      ],
    })
  })

  it('of a page that is none is an error', async () => {
    await take(...asks(1, ['lookup']), ...tool(1, 1, CUT), ...more(2, { id: '001000101', page: 9 }))
    expect(reader.steps[1]).toMatchObject({ status: 'done', calls: [{ status: 'error' }] })
  })

  it('of an id that is none runs until the next model call says so', async () => {
    await take(...more(1, { id: 'gone', page: 1 }))
    expect(reader.steps[0]?.status).toBe('calling_tools')
    await take(...asks(2, [], { reused: { 1: NOTHING_KEPT } }))
    expect(reader.steps[0]).toMatchObject({
      status: 'done',
      calls: [{ status: 'error', observation: NO_REST }],
    })
  })

  it('has an activity of its own where the store has the text', async () => {
    await take(...asks(1, ['lookup']), ...tool(1, 1, { text: 'cut', cut: 9, artifact: 'k' }))
    await take(...more(2, { id: '001000101', page: 1 }))
    const input = { turn: 1, step: 2, call: 1, key: 'k', chars: 9, page: 1 }
    const { id, event } = make.scheduled('read_more', input)
    await take(event, make.started(id), make.completed(id, { text: 'page' }))
    expect(reader.steps[1]?.calls).toMatchObject([{ status: 'ok', observation: 'page' }])
  })

  it('that was wrong is refused', async () => {
    const calls = [{ name: 'read_more', args: {}, problem: 'no id' }]
    const input = { turn: 1, step: 1, count: 1, digest: 'd' }
    const { id, event } = make.scheduled('callModel', input)
    const reply = { text: '', calls, finish: 'stop', tokens: null }
    await take(event, make.started(id), make.completed(id, reply))
    expect(reader.steps[0]?.calls).toMatchObject([{ status: 'refused', observation: 'no id' }])
  })
})

it.each(['summarize', 'chooseStrategy'])('%s asks the model and is no step', async (type) => {
  const input = { turn: 1, step: 1, count: 1, digest: 'd', to: 1, goal: null, maxWords: 9 }
  const { id, event } = make.scheduled(type, input)
  const ended = make.completed(id, { text: 'summary', strategy: 'a', tokens: null })
  expect(await take(event, make.started(id), ended)).toEqual([])
  expect(reader.steps).toEqual([])
})
