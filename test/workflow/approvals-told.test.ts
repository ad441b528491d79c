import { expect, test } from 'vitest'
import { callTools, say } from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { refundTool } from '../kit/refund-tool.js'
import { untilWaiting } from '../kit/until-waiting.js'

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) items.push(item)
  return items
}

test('steps and lists tell what waits, and who decided', async () => {
  const { client } = await startHarness({
    agents: [testAgent({ tools: [lookup, refundTool()] })],
    script: [
      callTools([
        { name: 'refund', args: { order: 'A1', amount: 150 } },
        { name: 'refund', args: { order: 'A2', amount: 250 } },
        { name: 'lookup', args: { id: 'A3' } },
      ]),
      say('Done.'),
    ],
  })
  const run = await client.start('test-agent', { input: 'Pay back.' })
  const [first, second] = await untilWaiting(run, 2)
  const [waiting] = await run.steps()
  expect(waiting).toMatchObject({ status: 'calling_tools' })
  expect(waiting?.calls.map(({ status }) => status)).toEqual(['waiting', 'waiting', 'ok'])
  expect(waiting?.calls[0]?.observation).toBe('150 is above 100')
  const filter = { waiting: true, query: `WorkflowId = '${run.id}'` }
  await expect
    .poll(async () => await all(client.list(filter)), { timeout: 10_000 })
    .toMatchObject([{ id: run.id, kind: 'run', status: 'running', waitingFor: 'approval' }])
  await run.approve(first.id, { by: 'ann', args: { order: 'A1', amount: 50 } })
  await run.deny(second?.id ?? '', { by: 'bob', reason: 'too much' })
  await run.result()
  const [step] = await run.steps()
  expect(step).toMatchObject({
    status: 'done',
    calls: [
      {
        status: 'ok',
        observation: '{"paid":50}',
        decision: { kind: 'approved', by: 'ann', args: { order: 'A1', amount: 50 } },
      },
      { status: 'denied', decision: { kind: 'denied', by: 'bob', reason: 'too much' } },
      { status: 'ok' },
    ],
  })
  expect(step?.calls[1]?.observation).toContain('too much')
  expect(step?.calls[2]).not.toHaveProperty('decision')
})
