import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { expect, inject, test } from 'vitest'
import { callTool, callTools, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { startCli, startProcess } from '../kit/processes.js'
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

/** Presses y where the command asks; without a question nothing is pressed. */
async function approveOnTerminal(...args: string[]): Promise<string> {
  const { address } = inject('temporal')
  const cli = [process.execPath, '--import', 'tsx', resolve('src/cli.ts'), 'approve', ...args]
  const script = resolve('test/e2e/fixtures/terminal.py')
  const terminal = startProcess('python3', [script, '[y/N]', ...cli, '--address', address], {
    env: { PRESS: 'y\r' },
  })
  expect(await terminal.exited).toBe(0)
  return terminal.stdout()
}

test('on a terminal the only call that waits is asked about, unless it shall only be listed', async () => {
  const paid: object[] = []
  const { client } = await startHarness({
    agents: [testAgent({ tools: [refundTool(paid)] })],
    script: [callTool('refund', { order: 'A1', amount: 150 }), say('Done.')],
  })
  const run = await client.start('test-agent', { input: 'Pay back.' })
  const [request] = await untilWaiting(run)
  const listed = await approveOnTerminal(run.id, '--list')
  expect(listed).toContain(request.id)
  expect(listed).toContain('pressed: False, exit code: 0')
  expect(await run.pendingApprovals()).toHaveLength(1)
  const asked = await approveOnTerminal(run.id)
  expect(asked).toContain('pressed: True, exit code: 0')
  expect(asked).toContain(`refund ${request.id}: approved`)
  expect(await run.result()).toMatchObject({ answer: 'Done.' })
  expect(paid).toEqual([{ order: 'A1', amount: 150 }])
})

test('of several calls one has to be named, or all of the tool approved', async () => {
  const paid: object[] = []
  const { client } = await startHarness({
    agents: [testAgent({ tools: [refundTool(paid)] })],
    script: [
      callTools([
        { name: 'refund', args: { order: 'A1', amount: 150 } },
        { name: 'refund', args: { order: 'A2', amount: 250 } },
        { name: 'refund', args: { order: 'A3', amount: 350 } },
      ]),
      say('Done.'),
    ],
  })
  const run = await client.start('test-agent', { input: 'Pay back.' })
  const [first, second = first] = await untilWaiting(run, 3)
  const unclear = await approve(run.id, '--yes')
  expect(unclear).toMatchObject({ code: 2, err: expect.stringContaining(second.id) })
  expect(await approve(run.id, first.id)).toMatchObject({ code: 0 })
  expect(await approve(run.id, second.id, '--all')).toMatchObject({ code: 0 })
  expect(await run.result()).toMatchObject({ answer: 'Done.' })
  expect(paid).toHaveLength(3)
})

test('a question of a session is shown as JSON and answered', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent({ askUser: true })],
    script: [callTool('ask_user', { question: 'Which colour?' }), say('Blue it is.')],
  })
  const session = await client.session('test-agent', { id: `asks-${randomUUID()}` })
  const answer = session.ask('Order a lamp.')
  const [request] = await untilWaiting(session)
  const listed = await approve(session.id, '--json')
  expect(JSON.parse(listed.out)).toMatchObject({
    id: session.id,
    waitingFor: [{ id: request.id, kind: 'question', text: 'Which colour?' }],
  })
  expect(await approve(session.id, '--yes')).toMatchObject({ code: 2 })
  expect(await approve(session.id, '--answer', 'the blue one')).toMatchObject({ code: 0 })
  expect(await answer).toMatchObject({ answer: 'Blue it is.' })
  expect(JSON.stringify(model.requests[1]?.body)).toContain('the blue one')
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
