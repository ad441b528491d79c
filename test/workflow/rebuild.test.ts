import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { rebuildCall, rebuildState } from '../../src/agent/rebuild.js'
import { type RunRecord, stepsOf } from '../../src/agent/run-record.js'
import { readChain } from '../../src/client/history/chain.js'
import { RunRecorder } from '../../src/client/history/run-record.js'
import type { AgentClient } from '../../src/client.js'
import { serverConfig } from '../../src/config.js'
import { defineTool } from '../../src/index.js'
import { type ChatRequest, callTools, say, startDevServer } from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'

const base = { description: 'Use when the test says so.', input: z.object({ n: z.number() }) }

const cached = defineTool({
  ...base,
  name: 'cached',
  annotations: { readOnlyHint: true },
  cache: '1 minute',
  execute: ({ n }) => `cached ${n} `.repeat(400),
})
/** A local activity that throws for good, at once. */
const local = defineTool({
  ...base,
  name: 'local',
  annotations: { readOnlyHint: true },
  local: true,
  retry: { maximumAttempts: 1 },
  execute: ({ n }) => {
    if (n % 2 === 1) throw new TypeError('odd')
    return `even ${n}`
  },
})

async function readRecord({ client }: AgentClient, workflowId: string): Promise<RunRecord> {
  const recorder = new RunRecorder(client.options.loadedDataConverter)
  const { runId } = await client.workflow.getHandle(workflowId).describe()
  for await (const event of readChain(client, { workflowId, runId, follow: false })) {
    await recorder.take(event)
  }
  return recorder.record
}

test('what is rebuilt of a chain is what the run itself carried over, clock included', async () => {
  const { path, dir } = serverConfig()
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 40 }
  const server = await startDevServer({ path, dir, headless: true, dynamicConfig })
  // Registered first, so it runs last: a worker that stops needs its server.
  onTestFinished(() => server.kill())
  const { client, model } = await startHarness({
    agents: [
      testAgent({
        tools: [lookup, cached, local],
        limits: { maxSteps: 20, deadline: '10 minutes' },
        memory: { summary: { keepMessages: 6, aboveTokens: 3_000 } },
      }),
    ],
    respond: ({ tools }: ChatRequest, { index: n }) =>
      tools === undefined
        ? say('What was said.')
        : n < 12
          ? callTools([
              { name: 'lookup', args: { id: `A${n}` } },
              { name: 'cached', args: { n: n % 3 } },
              { name: 'local', args: { n } },
              { name: 'local', args: { n: n + 1 } },
            ])
          : say('done'),
    address: server.address,
  })
  const run = await client.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({ stopReason: 'answered' })
  const record = await readRecord(client, run.id)
  expect(record.executions.length).toBeGreaterThan(1)
  for (const place of stepsOf(record)) await rebuildCall(record, place)
  for (const [i, { start }] of record.executions.slice(1).entries()) {
    if (!('state' in start)) throw new Error('a turn begins in the middle of a chain')
    const before = { turn: 1, step: start.state.step + 1 }
    const executions = record.executions.slice(i, i + 1)
    expect(await rebuildState({ executions }, before)).toEqual(start.state)
  }
  const asked = model.requests.length
  const last = stepsOf(record).at(-1)?.step ?? 0
  const fork = await client.fork(run.id, { step: last })
  expect(await fork.result()).toMatchObject({ stopReason: 'answered', answer: 'done' })
  expect(model.requests).toHaveLength(asked + 1)
})
