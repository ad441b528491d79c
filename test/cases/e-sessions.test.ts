import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { callTool, type LoggedRequest, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { startOwnServer } from '../kit/own-server.js'

function usersOf(request: LoggedRequest | undefined): string[] {
  const messages = request?.body?.messages ?? []
  return messages.filter(({ role }) => role === 'user').map(({ content }) => String(content))
}

test('B35 · messages around continue-as-new are seen once each, in order', async () => {
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 20 }
  const server = await startOwnServer({ dynamicConfig })
  const { client, model } = await startHarness({
    agents: [testAgent({ limits: { maxSteps: 30 }, memory: 'none' })],
    respond: (_, { index }) =>
      index < 12 ? callTool('lookup', { id: `A${index}` }) : say('all seen'),
    address: server.address,
  })
  const session = await client.session('test-agent', { id: `b35-${randomUUID()}` })
  const answer = session.ask('Go.')
  for (const [i, text] of ['m1', 'm2', 'm3'].entries()) {
    await model.waitFor(3 * i + 1, { timeoutMs: 20_000 })
    await session.steer(text)
  }
  // The counts of steps and tokens are carried too.
  expect(await answer).toMatchObject({
    answer: 'all seen',
    steps: 13,
    usage: { modelCalls: 13 },
  })
  expect(model.requests).toHaveLength(13)
  expect(usersOf(model.requests.at(-1))).toEqual(['Go.', 'm1', 'm2', 'm3'])
  expect(model.requests.flatMap(({ violations }) => violations)).toEqual([])
})

test('B35 · an update that is sent in the last step is answered or cleanly rejected', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [{ kind: 'delay', ms: 500, reply: say('the last word') }, say('one more')],
  })
  const session = await client.session('test-agent', { id: `b35-${randomUUID()}` })
  const first = session.ask('Go.')
  await model.waitFor(1)
  const { turn } = await session.submit('One more.')
  await session.close()
  expect(await first).toMatchObject({ answer: 'the last word' })
  expect(await session.result(turn)).toMatchObject({ answer: 'one more' })
  // The session has ended by now, or will in a moment.
  await expect(session.steer('too late')).rejects.toThrow(
    /No turn is running|takes nothing any more/,
  )
  // A run takes no questions at all, and no word on what does not wait.
  const run = await client.start('test-agent', { input: 'Go.' })
  await expect(run.approve('nothing')).rejects.toThrow(/waits for approval|takes nothing any more/)
})
