import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/index.js'
import { callTool, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { startOwnServer } from '../kit/own-server.js'

const pay = defineTool({
  name: 'pay',
  description: 'Use when something has to be paid.',
  input: z.object({ orderId: z.string(), card: z.object({ number: z.string() }) }),
  sensitive: ['number'],
  execute: () => 'paid',
})

test('activities are named after tools, with a one-line summary that masks sensitive fields', async () => {
  const { client } = await startHarness({
    agents: [testAgent({ tools: [pay] })],
    worker: { prices: { 'test-model': { promptPerMillion: 10, completionPerMillion: 20 } } },
    script: [
      callTool('pay', { orderId: 'A1001', card: { number: '4111-1111' } }),
      say('It is paid | and done.'),
    ],
  })
  const run = await client.start(testAgent({ tools: [pay] }), { input: 'Pay A1001.\nNow.' })
  const { costUsd } = await run.result()
  expect(costUsd).toBeGreaterThan(0)
  const handle = client.client.workflow.getHandle(run.id)
  const { events } = await handle.fetchHistory()
  const scheduled = (events ?? []).flatMap((event) => {
    const type = event.activityTaskScheduledEventAttributes?.activityType?.name
    const summary = event.userMetadata?.summary?.data
    return type ? [[type, JSON.parse(Buffer.from(summary ?? '').toString())]] : []
  })
  expect(scheduled).toEqual([
    ['callModel', 'step 1 · test-model'],
    ['pay', 'step 1 · {orderId: "A1001", card: {number: •••}}'],
    ['callModel', 'step 2 · test-model'],
  ])
  const description = await handle.describe()
  expect(await description.staticSummary()).toBe('test-agent · Pay A1001. Now.')
  expect(await description.staticDetails()).toContain('- limits: at most 8 steps')
  const details = await currentDetails(handle)
  expect(details).toMatch(
    /^\*\*test-agent\*\* · test-model · at most 8 steps · \d+ tokens · \$0\.\d{4}\n/,
  )
  // The UI draws tables without room between the columns: em spaces make it.
  expect(details).toContain('| step\u2003 | what | \u2003tokens | \u2003seconds |')
  expect(details).toMatch(
    /\| 1\u2003 \| pay \| \u2003\d+ \| \u2003\d+\.\d \|\n\| 2\u2003 \| answer \| \u2003\d+ \| \u2003\d+\.\d \|/,
  )
  expect(details).toMatch(/\*\*answered\*\*\n\nIt is paid \| and done\.$/)
  expect(description.searchAttributes).toMatchObject({
    PerdureAgent: ['test-agent'],
    PerdureModel: ['test-model'],
    PerdureStopReason: ['answered'],
    PerdureSteps: [2],
    PerdureTokens: [expect.any(Number)],
    PerdureCostUsd: [costUsd],
  })
})

test('a namespace without the search attributes, or with others of their names, runs agents all the same', async () => {
  const searchAttributes = { PerdureAgent: 'Int', PerdureSteps: 'Int' }
  const server = await startOwnServer({ searchAttributes })
  const { client } = await startHarness({
    agents: [testAgent()],
    script: [say('done')],
    address: server.address,
  })
  const run = await client.start('test-agent', { input: 'Go' })
  expect(await run.result()).toMatchObject({ stopReason: 'answered' })
  const { searchAttributes: found } = await client.client.workflow.getHandle(run.id).describe()
  expect(found).toMatchObject({ PerdureSteps: [1] })
  expect(found).not.toHaveProperty('PerdureAgent')
})

async function currentDetails(handle: { query<T>(name: string): Promise<T> }): Promise<string> {
  const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata')
  return metadata.currentDetails ?? ''
}
