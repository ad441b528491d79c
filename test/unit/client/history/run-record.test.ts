import { readFileSync } from 'node:fs'
import { defaultFailureConverter, defaultPayloadConverter } from '@temporalio/common'
import { describe, expect, test } from 'vitest'
import { rebuildCall, rebuildState } from '../../../../src/agent/rebuild.js'
import { RebuildError } from '../../../../src/agent/rebuild-error.js'
import { type RunRecord, stepsOf } from '../../../../src/agent/run-record.js'
import { RunRecorder } from '../../../../src/client/history/run-record.js'
import { historyFromJson } from '../../../kit/history-json.js'

const CONVERTER = {
  payloadConverter: defaultPayloadConverter,
  failureConverter: defaultFailureConverter,
  payloadCodecs: [],
}

async function recordOf(...names: readonly string[]): Promise<RunRecord> {
  const recorder = new RunRecorder(CONVERTER)
  for (const name of names) {
    const file = new URL(`../../../sandbox/histories/${name}.json`, import.meta.url)
    const { events } = historyFromJson(JSON.parse(readFileSync(file, 'utf8')))
    for (const event of events ?? []) await recorder.take(event)
  }
  return recorder.record
}

describe.each([
  'answered',
  'agent-serial',
  'cancelled-in-model-call',
  'fallback-model',
  'forked',
  'limit-failed',
  'model-error',
  'model-retried',
  'refusal',
  'remote-tools',
  'strategy',
  'strategy-failed',
  'tool-failure',
  'tool-given-up',
  'tool-retried',
])('%s', (name) => {
  test('every model call is rebuilt with the digest that was recorded', async () => {
    const record = await recordOf(name)
    const steps = stepsOf(record)
    expect(steps.length).toBeGreaterThan(0)
    for (const place of steps) {
      const { input, state } = await rebuildCall(record, place)
      const [recorded] = record.executions[0]?.modelCalls.get(`1.${place.step}`) ?? []
      expect(recorded?.input).toMatchObject({ ...input })
      expect(state.messages).toHaveLength(input.count)
      expect(await rebuildState(record, place)).toMatchObject({ step: place.step - 1 })
    }
  })
})

test('of a chain, each step is rebuilt from the execution that it belongs to', async () => {
  const record = await recordOf('continued-as-new', 'continued-as-new-2')
  expect(record.executions).toHaveLength(2)
  expect(stepsOf(record).map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7])
  for (const place of stepsOf(record)) {
    expect(await rebuildState(record, place)).toMatchObject({
      step: place.step - 1,
      messages: { length: 2 * place.step - 1 },
    })
  }
})

test.each([
  ['empty-reply', 2],
  ['max-steps', 4],
  ['repeats', 4],
  ['tool-errors', 4],
])('the old run %s is rebuilt up to the note that reads otherwise today', async (name, step) => {
  const record = await recordOf(name)
  expect(await rebuildState(record, { turn: 1, step: step - 1 })).toMatchObject({ step: step - 2 })
  await expect(rebuildCall(record, { turn: 1, step })).rejects.toThrow('another conversation')
})

test('a run that a limit ended goes on behind its last step', async () => {
  const record = await recordOf('limit-failed')
  expect(await rebuildState(record, { turn: 1, step: 2 })).toMatchObject({ step: 1, steps: 1 })
})

test('a step that the run did not come to is named with those that there are', async () => {
  const record = await recordOf('answered')
  const rebuilding = rebuildState(record, { turn: 1, step: 3 })
  await expect(rebuilding).rejects.toThrow(RebuildError)
  await expect(rebuilding).rejects.toThrow('is 2')
  await expect(rebuildState(record, { turn: 1, step: 0 })).rejects.toThrow(RebuildError)
  const failed = await recordOf('tool-failure')
  await expect(rebuildState(failed, { turn: 1, step: 2 })).rejects.toThrow('flaky')
  const none = await recordOf('definition-error')
  await expect(rebuildState(none, { turn: 1, step: 1 })).rejects.toThrow('never asked')
})

test('a conversation that today’s code would make otherwise is reported, not used', async () => {
  const record = await recordOf('answered')
  const [execution] = record.executions
  if (execution === undefined || !('manifest' in execution.start)) throw new Error('no start')
  const changed = { ...execution, start: { ...execution.start, input: 'Something else' } }
  const rebuilding = rebuildState({ executions: [changed] }, { turn: 1, step: 2 })
  await expect(rebuilding).rejects.toThrow('another conversation')
})
