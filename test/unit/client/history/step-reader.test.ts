import { defaultFailureConverter, defaultPayloadConverter } from '@temporalio/common'
import { beforeEach, describe, expect, it } from 'vitest'
import type { HistoryEvent } from '../../../../src/client/history/read-events.js'
import type { Step } from '../../../../src/client/history/step.js'
import { StepReader } from '../../../../src/client/history/step-reader.js'
import type { ModelReply } from '../../../../src/contract/reply.js'
import { eventMaker } from './events.js'

const CONVERTER = {
  payloadConverter: defaultPayloadConverter,
  failureConverter: defaultFailureConverter,
  payloadCodecs: [],
}
const TOKENS = { promptTokens: 3, completionTokens: 4 }
const CALLS = [
  { name: 'lookup', args: { id: 'A1' } },
  { name: 'nope', args: {}, problem: 'no such tool' },
  { name: 'lookup', args: { id: 'A2' } },
]

let reader: StepReader
let make: ReturnType<typeof eventMaker>

beforeEach(() => {
  reader = new StepReader(CONVERTER)
  make = eventMaker()
})

async function take(...events: readonly HistoryEvent[]): Promise<Step[][]> {
  const steps: Step[][] = []
  for (const event of events) steps.push(await reader.take(event))
  return steps
}

function modelInput(step = 1, more: object = {}) {
  return { turn: 1, step, count: 1, digest: 'd', ...more }
}

function toolInput(call: number, step = 1) {
  return { turn: 1, step, call, args: {}, context: null, origin: 'o' }
}

function reply(more: Partial<ModelReply> = {}): ModelReply {
  return { text: 'hi', calls: [], finish: 'stop', tokens: TOKENS, ...more }
}

/** The events of a model call that is answered with `said`. */
function modelCall(said: ModelReply, input = modelInput()): HistoryEvent[] {
  const { id, event } = make.scheduled('callModel', input)
  return [event, make.started(id), make.completed(id, said)]
}

describe('a model call', () => {
  it('is a step from the moment it is scheduled', async () => {
    const { event } = make.scheduled('callModel', modelInput())
    expect(await take(event)).toEqual([
      [
        {
          turn: 1,
          step: 1,
          forced: false,
          strategy: null,
          model: '',
          failedModels: [],
          dropped: 0,
          adapted: [],
          status: 'calling_model',
          text: '',
          finish: null,
          calls: [],
          tokens: null,
          costUsd: null,
          startedAt: new Date(1_000),
          attempts: 0,
          retryCause: null,
          ms: null,
        },
      ],
    ])
  })

  it('with an answer is done, with tokens, time and attempts', async () => {
    const { id, event } = make.scheduled('callModel', modelInput())
    await take(event, make.started(id, 3), make.completed(id, reply()))
    expect(reader.steps).toMatchObject([
      { status: 'done', text: 'hi', tokens: TOKENS, ms: 2_000, attempts: 3, calls: [] },
    ])
  })

  it('that asks for calls is not done before they are', async () => {
    await take(...modelCall(reply({ calls: CALLS })))
    expect(reader.steps).toMatchObject([
      {
        status: 'calling_tools',
        calls: [
          { name: 'lookup', args: { id: 'A1' }, status: 'running', ms: null },
          { name: 'nope', status: 'refused', observation: 'no such tool' },
          { name: 'lookup', args: { id: 'A2' }, status: 'running', ms: null },
        ],
      },
    ])
  })

  it('whose calls are all refused is done', async () => {
    await take(...modelCall(reply({ calls: CALLS.slice(1, 2) })))
    expect(reader.steps).toMatchObject([{ status: 'done', calls: [{ status: 'refused' }] }])
  })

  it('for the forced answer shows none of the calls that are not run', async () => {
    await take(...modelCall(reply({ calls: CALLS }), modelInput(1, { forced: true })))
    expect(reader.steps).toMatchObject([{ forced: true, status: 'done', calls: [] }])
  })

  it('that was filtered is done: the loop runs none of its calls', async () => {
    await take(...modelCall(reply({ calls: CALLS, finish: 'content_filter' })))
    expect(reader.steps).toMatchObject([{ status: 'done' }])
  })

  it.each<[string, (id: number) => HistoryEvent, string]>([
    ['failed', (id) => make.failed(id, 'HTTP 401'), 'HTTP 401'],
    ['timed out', (id) => make.timedOut(id, 'activity timed out'), 'activity timed out'],
    ['timed out with a cause', (id) => make.timedOut(id, 'timed out', 'HTTP 503'), 'HTTP 503'],
    ['was cancelled', (id) => make.cancelled(id), 'cancelled'],
  ])('that %s says so', async (_what, end, text) => {
    const { id, event } = make.scheduled('callModel', modelInput())
    await take(event, make.started(id, 2), end(id))
    expect(reader.steps).toMatchObject([{ status: 'failed', text, attempts: 2, tokens: null }])
  })
})

describe('tool calls', () => {
  it('end in any order, each in its own place', async () => {
    await take(...modelCall(reply({ calls: CALLS })))
    const one = make.scheduled('lookup', toolInput(1))
    const three = make.scheduled('lookup', toolInput(3))
    expect(await take(one.event, three.event)).toEqual([[], []])
    await take(make.started(one.id), make.started(three.id, 2))
    const [[first] = []] = await take(make.completed(three.id, { text: 'no order', error: true }))
    expect(first?.status).toBe('calling_tools')
    const [[last] = []] = await take(make.completed(one.id, { text: 'shipped' }))
    expect(last).toMatchObject({
      status: 'done',
      calls: [
        { status: 'ok', observation: 'shipped', attempts: 1, ms: 5_000 },
        { status: 'refused' },
        { status: 'error', observation: 'no order', attempts: 2, ms: 3_000 },
      ],
    })
  })

  it('of a remote tool show what the model was told of its result', async () => {
    await take(...modelCall(reply({ calls: CALLS.slice(0, 1) })))
    const input = { ...toolInput(1), idempotencyKey: 'o/1.1.1/00' }
    const { id, event } = make.scheduled('CheckStock', input)
    await take(event, make.started(id), make.completed(id, { pieces: 12 }))
    expect(reader.steps).toMatchObject([
      { status: 'done', calls: [{ status: 'ok', observation: '{"pieces":12}' }] },
    ])
  })

  it('that failed show the failure', async () => {
    await take(...modelCall(reply({ calls: CALLS.slice(0, 1) })))
    const { id, event } = make.scheduled('lookup', toolInput(1))
    await take(event, make.started(id), make.timedOut(id, 'activity Heartbeat timeout'))
    expect(reader.steps).toMatchObject([
      {
        status: 'done',
        calls: [{ status: 'error', observation: 'activity Heartbeat timeout' }],
      },
    ])
  })
})

describe('the steps of a run', () => {
  it('are in order, and reach over continue-as-new', async () => {
    await take(make.begun(), ...modelCall(reply()), make.other())
    make = eventMaker()
    await take(make.begun(), ...modelCall(reply({ text: 'two' }), modelInput(2)))
    expect(reader.steps.map(({ step, text }) => [step, text])).toEqual([
      [1, 'hi'],
      [2, 'two'],
    ])
  })

  it('take nothing from an activity of the execution before', async () => {
    const { id, event } = make.scheduled('callModel', modelInput())
    await take(make.begun(), event, make.begun())
    expect(await take(make.completed(id, reply()))).toEqual([[]])
  })

  it.each([undefined, null, 'text', 7, [], {}, { turn: '1', step: 1 }])(
    'leave out an activity with the input %j',
    async (input) => {
      const { id, event } = make.scheduled('other', input)
      expect(await take(event, make.started(id), make.completed(id, 'x'))).toEqual([
        ...[[], [], []],
      ])
      expect(reader.steps).toEqual([])
    },
  )

  it('leave out a tool call whose model call was not seen', async () => {
    const { id, event } = make.scheduled('lookup', toolInput(1))
    expect(await take(event, make.completed(id, { text: 'x' }))).toEqual([[], []])
  })
})
