import { defaultFailureConverter, defaultPayloadConverter } from '@temporalio/common'
import { beforeEach, expect, it } from 'vitest'
import type { HistoryEvent } from '../../../../src/client/history/read-events.js'
import type { TranscriptChange } from '../../../../src/client/history/step-reader.js'
import {
  readTranscript,
  type TranscriptOptions,
} from '../../../../src/client/history/transcript.js'
import type { ModelReply } from '../../../../src/contract/reply.js'
import { manifestOf, stateOf } from '../../agent/manifests.js'
import { eventMaker } from './events.js'

const CONVERTER = {
  payloadConverter: defaultPayloadConverter,
  failureConverter: defaultFailureConverter,
  payloadCodecs: [],
}
const TOKENS = { promptTokens: 1_000, completionTokens: 100 }
const PRICES = {
  'test-model': { promptPerMillion: 10, completionPerMillion: 20 },
  writer: { promptPerMillion: 1, completionPerMillion: 1 },
}

let make: ReturnType<typeof eventMaker>

beforeEach(() => {
  make = eventMaker()
})

async function* stream(events: readonly HistoryEvent[]) {
  yield* events
}

function read(events: readonly HistoryEvent[], options: TranscriptOptions = {}) {
  return readTranscript(stream(events), CONVERTER, options)
}

function input(step = 1, more: object = {}) {
  return { turn: 1, step, count: 1, digest: 'd', ...more }
}

function reply(more: Partial<ModelReply> = {}): ModelReply {
  return { text: 'hi', calls: [], finish: 'stop', tokens: TOKENS, ...more }
}

/** The events of an activity that succeeded. */
function done(type: string, asked: object, result: unknown): HistoryEvent[] {
  const { id, event } = make.scheduled(type, asked)
  return [event, make.started(id), make.completed(id, result)]
}

function begun(manifest = manifestOf({ prices: PRICES })): HistoryEvent[] {
  return [make.begun({ agent: 'tester', input: 'Where is it?' }), make.marked(manifest)]
}

it('a run begins with agent, model and question', async () => {
  expect(await read(begun())).toMatchObject({
    agent: 'tester',
    model: 'test-model',
    question: 'Where is it?',
    steps: [],
    asides: [],
    costUsd: 0,
    stuck: null,
  })
})

it('the question of a chain whose beginning is gone is in the state that it carried', async () => {
  const events = [make.begun({ state: stateOf() })]
  expect(await read(events)).toMatchObject({ agent: 'tester', question: 'Where is my order?' })
})

it('a workflow of a user has no question, and one that never began has nothing', async () => {
  const nothing = { agent: '', model: '', question: null, costUsd: null }
  expect(await read([make.begun('whatever')])).toMatchObject(nothing)
  expect(await read([])).toMatchObject(nothing)
})

it('steps and asides have their cost, and the run the sum by model', async () => {
  const strategy = { strategy: 'calm', tokens: TOKENS }
  const summary = { text: 'They met.', tokens: TOKENS }
  const summarise = input(2, { count: 9, to: 6, goal: 0, maxWords: 100, model: 'writer' })
  const transcript = await read([
    ...begun(),
    ...done('chooseStrategy', input(), strategy),
    ...done('callModel', input(1, { strategy: 'calm' }), reply()),
    ...done('summarize', summarise, summary),
    ...done('callModel', input(2), reply({ tokens: null })),
  ])
  expect(transcript.steps).toMatchObject([
    { step: 1, finish: 'stop', costUsd: 0.012 },
    { step: 2, finish: 'stop', costUsd: null },
  ])
  expect(transcript.asides).toMatchObject([
    { kind: 'strategy', step: 1, status: 'done', text: 'calm', model: 'test-model', messages: 0 },
    { kind: 'summary', step: 2, status: 'done', text: 'They met.', model: 'writer', messages: 5 },
  ])
  expect(transcript.usageByModel).toMatchObject({
    'test-model': { totalTokens: 2_200, modelCalls: 3, uncountedCalls: 1 },
    writer: { totalTokens: 1_100, modelCalls: 1 },
  })
  expect(transcript.usage).toMatchObject({ totalTokens: 3_300, modelCalls: 4 })
  expect(transcript.costUsd).toBeCloseTo(0.0251, 6)
})

it('an aside that failed says why, and used nothing', async () => {
  const { id, event } = make.scheduled('summarize', input(2, { to: 4, goal: null, maxWords: 9 }))
  const transcript = await read([
    ...begun(),
    event,
    make.started(id, 2),
    make.failed(id, 'HTTP 503'),
  ])
  expect(transcript.asides).toMatchObject([
    { status: 'failed', text: 'HTTP 503', messages: 4, attempts: 2, tokens: null },
  ])
  expect(transcript.usage.modelCalls).toBe(0)
})

it('asides of two executions with the same event ids are two', async () => {
  const choice = { strategy: null, tokens: null }
  const first = [...begun(), ...done('chooseStrategy', input(), choice)]
  make = eventMaker()
  const second = [...begun(), ...done('chooseStrategy', input(2), choice)]
  expect((await read([...first, ...second])).asides).toMatchObject([
    { step: 1, text: '' },
    { step: 2, text: '' },
  ])
})

it('why the attempt before the last failed is told', async () => {
  const a = make.scheduled('callModel', input())
  const said = reply({ calls: [{ name: 'search', args: {} }] })
  const model = [a.event, make.started(a.id, 3, 'HTTP 429'), make.completed(a.id, said)]
  const b = make.scheduled('search', { turn: 1, step: 1, call: 1, args: {}, context: null })
  const tool = [b.event, make.started(b.id, 2, 'ECONNRESET'), make.completed(b.id, { text: 'x' })]
  expect((await read([...begun(), ...model, ...tool])).steps).toMatchObject([
    {
      attempts: 3,
      retryCause: 'HTTP 429',
      calls: [{ attempts: 2, retryCause: 'ECONNRESET', status: 'ok' }],
    },
  ])
})

it('messages that were left out are told with the step before which they were', async () => {
  const said = reply({ calls: [{ name: 'search', args: {}, problem: 'no' }] })
  const transcript = await read([
    ...begun(),
    ...done('callModel', input(1, { count: 5 }), said),
    ...done('callModel', input(2, { count: 3 }), reply()),
  ])
  expect(transcript.steps.map(({ dropped }) => dropped)).toEqual([0, 4])
})

it('code that fails over and over is told until it goes on', async () => {
  const broken = make.taskFailed('TypeError: x is undefined')
  const events = [...begun(), make.other(), broken]
  expect((await read(events)).stuck).toBe('TypeError: x is undefined')
  expect((await read([...events, make.other()])).stuck).toBeNull()
})

it('a reset is no failure of the code', async () => {
  const reset = make.taskFailed('reset by an operator', 20)
  expect((await read([...begun(), make.other(), reset])).stuck).toBeNull()
})

it('whoever listens hears each change in order, with the opening', async () => {
  const heard: string[] = []
  const onChange = (change: TranscriptChange, { agent }: { readonly agent: string }) => {
    heard.push(`${agent} ${change.kind === 'step' ? change.step.status : change.aside.status}`)
  }
  const choice = { strategy: 'calm', tokens: null }
  const events = [
    ...begun(),
    ...done('chooseStrategy', input(), choice),
    ...done('callModel', input(), reply()),
  ]
  await read(events, { onChange })
  expect(heard).toEqual(['tester running', 'tester done', 'tester calling_model', 'tester done'])
})

it('reading that is ended gives what there was; any other error is thrown', async () => {
  const stop = new AbortController()
  const events = [...begun(), ...done('callModel', input(), reply())]
  async function* broken() {
    yield* events
    throw new Error('down')
  }
  await expect(readTranscript(broken(), CONVERTER, {})).rejects.toThrow('down')
  stop.abort()
  const { steps } = await readTranscript(broken(), CONVERTER, { signal: stop.signal })
  expect(steps).toHaveLength(1)
})
