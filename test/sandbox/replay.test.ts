import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from '@temporalio/worker'
import { DeterminismViolationError } from '@temporalio/workflow'
import { beforeAll, expect, test } from 'vitest'
import { bundleWorkflows } from '../../scripts/bundle-workflows.js'
import { historyFromJson } from '../kit/history-json.js'
import { installQuietRuntime } from '../kit/quiet-runtime.js'
import { SCENARIOS } from './scenarios.js'

const FOLDER = fileURLToPath(new URL('./histories/', import.meta.url))
const NAMES = readdirSync(FOLDER).map((file) => basename(file, '.json'))

interface JsonEvent {
  activityTaskScheduledEventAttributes?: { activityType: { name: string } }
}

interface JsonHistory {
  events: JsonEvent[]
}

let code: string
beforeAll(async () => {
  installQuietRuntime()
  const workflows = fileURLToPath(new URL('../../src/workflows/index.ts', import.meta.url))
  code = await bundleWorkflows(workflows)
})

function load(name: string): JsonHistory {
  return JSON.parse(readFileSync(`${FOLDER}${name}.json`, 'utf8'))
}

async function replay(history: JsonHistory, name: string): Promise<void> {
  await Worker.runReplayHistory({ workflowBundle: { code } }, historyFromJson(history), name)
}

test('there is a stored history of every kind of run', () => {
  expect(NAMES).toEqual(expect.arrayContaining(Object.keys(SCENARIOS)))
})

test.each(NAMES)("the stored history %s replays against today's code", async (name) => {
  await replay(load(name), name)
})

test('a history in which a tool has another name is reported', async () => {
  const history = load('answered')
  const scheduled = history.events.find(
    (event) => event.activityTaskScheduledEventAttributes?.activityType.name === 'serial',
  )
  expect(scheduled).toBeDefined()
  if (scheduled?.activityTaskScheduledEventAttributes) {
    scheduled.activityTaskScheduledEventAttributes.activityType.name = 'renamed'
  }
  await expect(replay(history, 'renamed')).rejects.toThrow(DeterminismViolationError)
})

test('a history that lacks a call is reported', async () => {
  const history = load('max-steps')
  const types = history.events.map(
    (event) => event.activityTaskScheduledEventAttributes?.activityType.name,
  )
  const first = types.indexOf('lookup')
  // The calls of the second step stand where those of the first were.
  const second = types.indexOf('lookup', first + 1)
  const without = [...history.events.slice(0, first), ...history.events.slice(second)]
  await expect(replay({ events: without }, 'without')).rejects.toThrow()
})
