import { expect, inject, test } from 'vitest'
import { callTool, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { startCli } from '../kit/processes.js'
import { refundTool } from '../kit/refund-tool.js'
import { untilWaiting } from '../kit/until-waiting.js'

async function approve(...args: string[]) {
  const { address } = inject('temporal')
  const cli = startCli(['approve', ...args, '--address', address], { env: { NO_COLOR: '1' } })
  const code = await cli.exited
  return { code, out: cli.stdout(), err: cli.stderr() }
}

test('what waits is shown, changed arguments are checked, and a decision is recorded with who made it', async () => {
  const paid: object[] = []
  const { client } = await startHarness({
    agents: [testAgent({ tools: [refundTool(paid)] })],
    script: [
      callTool('refund', { order: 'A1', amount: 150 }),
      callTool('refund', { order: 'A2', amount: 250 }),
      say('Done.'),
    ],
  })
  const run = await client.start('test-agent', { input: 'Pay back.' })
  const [first] = await untilWaiting(run)
  const shown = await approve(run.id)
  expect(shown).toMatchObject({ code: 0 })
  expect(shown.out).toContain('refund(order: "A1", amount: 150)')
  expect(shown.out).toContain('150 is above 100')
  expect(shown.out).toContain(first.id)

  const bad = await approve(run.id, '--edit-args', '{"order":"A1","amount":-1}')
  expect(bad.code).toBe(1)
  expect(bad.err).toContain('amount')
  expect(bad.err).not.toContain('    at ')
  const other = await approve(run.id, 'nothing')
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining(first.id) })

  const edited = await approve(
    ...[run.id, first.id, '--edit-args', '{"order":"A1","amount":80}', '--by', 'ann', '--json'],
  )
  expect(JSON.parse(edited.out)).toMatchObject({ call: first.id, decision: 'approved', by: 'ann' })
  await untilWaiting(run)
  const denied = await approve(run.id, '--deny', '--reason', 'once is enough', '--by', 'bob')
  expect(denied).toMatchObject({ code: 0, out: expect.stringContaining('denied') })
  expect(await run.result()).toMatchObject({ answer: 'Done.' })
  expect(paid).toEqual([{ order: 'A1', amount: 80 }])
  const decisions = (await run.steps()).flatMap(({ calls }) => calls.map((call) => call.decision))
  expect(decisions).toMatchObject([
    { kind: 'approved', by: 'ann' },
    { kind: 'denied', by: 'bob', reason: 'once is enough' },
  ])
})

test('nothing waits, and an id that does not exist is said so', async () => {
  const { client } = await startHarness({ agents: [testAgent()], script: [say('Hello.')] })
  const run = await client.start('test-agent', { input: 'Hello' })
  await run.result()
  expect(await approve(run.id)).toMatchObject({
    code: 0,
    out: expect.stringContaining('waits for nobody'),
  })
  expect(await approve('no-such-run')).toMatchObject({
    code: 2,
    err: expect.stringContaining('no-such-run'),
  })
})
