import { defaultFailureConverter, defaultPayloadConverter } from '@temporalio/common'
import { expect, it } from 'vitest'
import type { HistoryEvent } from '../../../../src/client/history/read-events.js'
import type { Step } from '../../../../src/client/history/step.js'
import { StepReader } from '../../../../src/client/history/step-reader.js'
import type { ModelReply } from '../../../../src/contract/reply.js'
import { manifestOf, stateOf } from '../../agent/manifests.js'
import { eventMaker } from './events.js'

const REPLY: ModelReply = { text: 'hi', calls: [], finish: 'stop', tokens: null }

async function stepsOf(...events: readonly HistoryEvent[]): Promise<Step[]> {
  const reader = new StepReader({
    payloadConverter: defaultPayloadConverter,
    failureConverter: defaultFailureConverter,
    payloadCodecs: [],
  })
  for (const event of events) await reader.take(event)
  return reader.steps
}

function input(step = 1, more: object = {}) {
  return { turn: 1, step, count: 1, digest: 'd', ...more }
}

it('the model is that of the definition, recorded when the turn began', async () => {
  const make = eventMaker()
  const first = make.scheduled('callModel', input())
  const events = [make.begun({ agent: 'a', input: 'hi' }), make.marked(manifestOf()), first.event]
  expect(await stepsOf(...events)).toMatchObject([{ model: 'test-model', failedModels: [] }])
})

it('the model is that of the state, in a run that continued as new', async () => {
  const make = eventMaker()
  const begun = make.begun({ state: stateOf({ model: 'carried' }) })
  const first = make.scheduled('callModel', input())
  expect(await stepsOf(begun, first.event)).toMatchObject([{ model: 'carried' }])
})

it('an old history without any of it has a model without a name', async () => {
  const make = eventMaker()
  const first = make.scheduled('callModel', input())
  expect(await stepsOf(make.begun(), first.event)).toMatchObject([{ model: '' }])
})

it('a model that failed is named beside the fallback that answered the same step', async () => {
  const make = eventMaker()
  const marked = make.marked(manifestOf())
  const a = make.scheduled('callModel', input())
  const failed = [make.started(a.id, 6), make.failed(a.id, 'HTTP 503')]
  const b = make.scheduled('callModel', input(1, { model: 'b' }))
  const failedToo = [make.started(b.id), make.failed(b.id, 'HTTP 401')]
  const c = make.scheduled('callModel', input(1, { model: 'c' }))
  const answered = [make.started(c.id), make.completed(c.id, REPLY)]
  const next = make.scheduled('callModel', input(2, { model: 'c' }))
  const events = [marked, a.event, ...failed, b.event, ...failedToo, c.event, ...answered]
  expect(await stepsOf(...events, next.event)).toMatchObject([
    { step: 1, model: 'c', failedModels: ['test-model', 'b'], status: 'done', attempts: 1 },
    { step: 2, model: 'c', failedModels: [], status: 'calling_model' },
  ])
})

it('parameters that the server refused are told', async () => {
  const make = eventMaker()
  const { id, event } = make.scheduled('callModel', input())
  const reply = { ...REPLY, adapted: ['max_tokens'] }
  const steps = await stepsOf(event, make.started(id), make.completed(id, reply))
  expect(steps).toMatchObject([{ adapted: ['max_tokens'] }])
})
