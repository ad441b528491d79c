import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker'
import { DeterminismViolationError } from '@temporalio/workflow'
import { beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import { exportRun, fetchHistory, parseHistory, replayRun } from '../../src/replay.js'
import { type ChatRequest, callTool, hang, say } from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { historyFromJson, historyToJson } from '../kit/history-json.js'
import { startCli } from '../kit/processes.js'
import { installQuietRuntime } from '../kit/quiet-runtime.js'
import { openStage } from './kit.js'

beforeAll(installQuietRuntime)

interface JsonEvent {
  activityTaskScheduledEventAttributes?: { activityType: { name: string } }
  markerRecordedEventAttributes?: { details: { result?: { payloads: { data: string }[] } } }
}

/** A stored history as text; changes to it are changes to that. */
function stored(name: string): string {
  return readFileSync(new URL(`../sandbox/histories/${name}.json`, import.meta.url), 'utf8')
}

async function replay(json: unknown, codePath = inject('temporal').bundle): Promise<void> {
  await Worker.runReplayHistory({ workflowBundle: { codePath } }, historyFromJson(json), 'replayed')
}

const GOLDEN = ['answered', 'tool-retried', 'max-steps', 'continued-as-new-2']

test.each(GOLDEN)('B36 · the stored history %s replays', async (name) => {
  await replay(JSON.parse(stored(name)))
})

test.each([
  ['answered', 'lookup'],
  ['answered', 'serial'],
  ['tool-retried', 'flaky'],
  ['max-steps', 'callModel'],
])('B36 · %s with the activity %s renamed is reported, with the event', async (name, activity) => {
  const history = JSON.parse(stored(name)) as { events: JsonEvent[] }
  const event = history.events.find(
    (one) => one.activityTaskScheduledEventAttributes?.activityType.name === activity,
  )
  if (event?.activityTaskScheduledEventAttributes === undefined) throw new Error('not there')
  event.activityTaskScheduledEventAttributes.activityType.name = 'renamed'
  const error = await replay(history).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(DeterminismViolationError)
  expect(String(error)).toMatch(new RegExp(`renamed.*${activity}|${activity}.*renamed`, 's'))
})

test('B36 · an extra timer in the workflow is reported, with the event', async () => {
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('fixtures/timer-workflow.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  })
  for (const name of ['answered', 'refusal']) {
    const history = historyFromJson(JSON.parse(stored(name)))
    const error = await Worker.runReplayHistory({ workflowBundle: { code } }, history, name).catch(
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(DeterminismViolationError)
    expect(String(error)).toMatch(/timer/i)
  }
})

test('B36 · a prompt, a model or a limit that has changed since replays', async () => {
  for (const name of GOLDEN.slice(0, 3)) {
    const history = JSON.parse(stored(name)) as { events: JsonEvent[] }
    const marker = history.events.find((event) => event.markerRecordedEventAttributes)
    const [payload] = marker?.markerRecordedEventAttributes?.details.result?.payloads ?? []
    if (payload === undefined) throw new Error('the manifest is not there')
    const manifest = JSON.parse(Buffer.from(payload.data, 'base64').toString())
    const changed = { ...manifest, instructions: 'Other words.', model: 'other-model' }
    payload.data = Buffer.from(JSON.stringify(changed)).toString('base64')
    await replay(history)
  }
})

test('B36 · a run goes on over a deployment that changes prompt, model and tools', async () => {
  const renamed = defineTool({
    name: 'look_up',
    description: 'Use when the test says so.',
    input: z.object({ id: z.string() }),
    execute: () => 'new',
  })
  const stage = await openStage({ agents: [testAgent()], withWorker: false })
  const first = await stage.startWorker()
  const outcome = await stage.play({
    script: [
      callTool('lookup', { id: 'A1' }),
      hang(),
      callTool('lookup', { id: 'A2' }),
      callTool('look_up', { id: 'A3' }),
      say('done'),
    ],
    during: async () => {
      await stage.model.waitFor(2)
      await first.stop()
      const instructions = 'A wholly new prompt.'
      await stage.startWorker({
        agents: [testAgent({ instructions, model: 'new-model', tools: [renamed] })],
      })
    },
  })
  expect(outcome.result).toMatchObject({ answer: 'done', steps: 4 })
  // The turn keeps the definition that it began with.
  for (const { body } of outcome.requests) {
    expect(body.model).toBe('test-model')
    expect(body.messages[0]?.content).toBe('You are under test.')
    expect(body.tools?.map((tool) => tool.function.name)).toEqual(['lookup'])
  }
  // Neither the tool that is gone nor the one that was not offered runs.
  expect(outcome.steps.map(({ calls }) => calls[0]?.status)).toEqual([
    'ok',
    'refused',
    'refused',
    undefined,
  ])
  const fresh = await stage.play({ script: [callTool('look_up', { id: 'A4' }), say('new too')] })
  expect(fresh.result?.answer).toBe('new too')
  expect(fresh.requests[0]?.body.model).toBe('new-model')
})

test('B36 · a run of today replays with its tools under any name', async () => {
  const tools = ['a', 'callmodel', '__proto__'].map((name) =>
    defineTool({ name, description: 'd', input: z.object({}), execute: () => name }),
  )
  const stage = await openStage({ agents: [testAgent({ tools: [...tools, lookup] })] })
  const { events } = await stage.play({
    script: [...tools.map(({ name }) => callTool(name, {})), say('done')],
  })
  await replay(historyToJson({ events: [...events] }))
})

test('B30 · a history of over 4 MB replays, from the server and from its export', async () => {
  const stage = await openStage({
    agents: [testAgent({ limits: { maxSteps: 100 }, memory: 'none' })],
  })
  const text = 'x'.repeat(60_000)
  const { result, run } = await stage.play({
    respond: (_: ChatRequest, { index }) =>
      index < 80 ? callTool('lookup', { id: `A${index}` }, { text }) : say('done'),
  })
  expect(result).toMatchObject({ answer: 'done', steps: 81 })
  const history = await fetchHistory(stage.client.client, run.id)
  const text4MB = JSON.stringify(await exportRun(history))
  expect(Buffer.byteLength(text4MB)).toBeGreaterThan(4_000_000)
  const worker = { workflowBundle: { codePath: inject('temporal').bundle } }
  const replays = [
    await replayRun(history, { worker }),
    await replayRun(parseHistory(text4MB, 'export'), { worker }),
  ]
  for (const { verdict, steps, end } of replays) {
    expect(verdict).toEqual({ kind: 'deterministic' })
    expect(end.reason).toBe('answered')
    expect(steps).toHaveLength(81)
    // The conversation of the last step is that of all before it.
    expect(steps.at(-1)?.prompt?.messages).toBe(161)
  }
  const command = startCli(['replay', run.id, '--address', inject('temporal').address])
  expect(await command.exited).toBe(0)
  expect(command.stdout()).toContain('deterministic')
})
