import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleWorkflows } from '../../scripts/bundle-workflows.js'
import { createReplayer, parseHistory, type Replayer, replayRun } from '../../src/replay.js'
import { installQuietRuntime } from '../kit/quiet-runtime.js'

const FOLDER = fileURLToPath(new URL('./histories/', import.meta.url))

interface JsonEvent {
  readonly eventId: string
  readonly activityTaskScheduledEventAttributes?: { readonly activityType: { name: string } }
  readonly markerRecordedEventAttributes?: {
    details: { data: { payloads: { data: string }[] } }
  }
}

let replayer: Replayer
beforeAll(() => {
  installQuietRuntime()
  replayer = createReplayer()
})
afterAll(() => replayer.close())

function load(name: string): JsonEvent[] {
  return JSON.parse(readFileSync(`${FOLDER}${name}.json`, 'utf8')).events
}

async function verdictOf(events: readonly JsonEvent[], name: string) {
  return (await replayRun(parseHistory(JSON.stringify({ events }), name), { replayer })).verdict
}

test.each(readdirSync(FOLDER).map((file) => basename(file, '.json')))(
  'the stored history %s is deterministic',
  async (name) => {
    expect(await verdictOf(load(name), name)).toEqual({ kind: 'deterministic' })
  },
)

test('a history with another activity diverges, at this event and at the line that schedules', async () => {
  const events = load('answered')
  const event = events.find(
    (one) => one.activityTaskScheduledEventAttributes?.activityType.name === 'serial',
  )
  if (event?.activityTaskScheduledEventAttributes === undefined) throw new Error('not there')
  event.activityTaskScheduledEventAttributes.activityType.name = 'renamed'
  const verdict = await verdictOf(events, 'renamed')
  expect(verdict).toMatchObject({
    kind: 'diverged',
    message: expect.stringContaining("'renamed' does not match"),
    event: { id: Number(event.eventId), type: 'ActivityTaskScheduled' },
    recorded: { kind: 'activity', name: 'renamed' },
    wanted: { kind: 'activity', name: 'serial' },
    at: expect.arrayContaining([expect.stringMatching(/^src\/agent\/answer-call\.ts:\d+$/)]),
  })
  const [place = ''] = verdict.kind === 'diverged' ? verdict.at : []
  const [file = '', line = '0'] = place.split(':')
  expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain('executeWithOptions')
})

test('a history that ends with another event than the code diverges there', async () => {
  const events = load('answered').map((event) => {
    if (!('workflowExecutionCompletedEventAttributes' in event)) return event
    const { workflowExecutionCompletedEventAttributes: _, ...rest } = event
    return {
      ...rest,
      eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_FAILED',
      workflowExecutionFailedEventAttributes: { failure: { message: 'x' } },
    }
  })
  expect(await verdictOf(events, 'failed')).toMatchObject({
    kind: 'diverged',
    event: { id: 38, type: 'WorkflowExecutionFailed' },
    recorded: { kind: 'failure' },
    wanted: { kind: 'completion' },
  })
})

test('one worker goes on after a history that diverged', async () => {
  const events = load('max-steps').filter((_, i) => i < 20 || i > 29)
  expect(await verdictOf(events, 'broken')).toMatchObject({ kind: 'diverged' })
  expect(await verdictOf(load('max-steps'), 'whole')).toEqual({ kind: 'deterministic' })
})

test.each(['bundled at start', 'bundled ahead'])(
  'code that throws is told as that, with its line: %s',
  async (when) => {
    const workflowsPath = fileURLToPath(new URL('fixtures/throwing-workflow.ts', import.meta.url))
    const bundle = when === 'bundled ahead' ? await bundleWorkflows(workflowsPath) : undefined
    const worker = bundle === undefined ? { workflowsPath } : { workflowBundle: { code: bundle } }
    const broken = createReplayer({ worker })
    try {
      const verdict = await broken.check(
        parseHistory(JSON.stringify({ events: load('answered') }), 'broken'),
      )
      expect(verdict).toEqual({
        kind: 'code_error',
        message: expect.stringContaining('JSON'),
        at: [expect.stringMatching(/test\/sandbox\/fixtures\/throwing-workflow\.ts:4$/)],
      })
    } finally {
      await broken.close()
    }
  },
)

test('with workflows bundled ahead the verdict is the same, without the line', async () => {
  const code = await bundleWorkflows(
    fileURLToPath(new URL('../../src/workflows/index.ts', import.meta.url)),
  )
  const events = load('answered')
  const [event] = events.filter((one) => one.activityTaskScheduledEventAttributes)
  if (event?.activityTaskScheduledEventAttributes === undefined) throw new Error('not there')
  event.activityTaskScheduledEventAttributes.activityType.name = 'renamed'
  const history = parseHistory(JSON.stringify(events), 'renamed')
  const { verdict } = await replayRun(history, { worker: { workflowBundle: { code } } })
  expect(verdict).toMatchObject({ kind: 'diverged', event: null, at: [] })
})
