import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readChain } from '../../src/client/history/chain.js'
import type { AgentClient } from '../../src/client.js'
import { defineTool } from '../../src/index.js'
import { type ChatRequest, callTool, type Reply, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { startOwnServer } from '../kit/own-server.js'
import { untilWaiting } from '../kit/until-waiting.js'

/** Executions that continue as new after 7 model calls or so; the default is 4,096 events. */
const SHORT = { 'limit.historyCount.suggestContinueAsNew': 40 }

async function executions({ client }: AgentClient, workflowId: string): Promise<number> {
  const { runId } = await client.workflow.getHandle(workflowId).describe()
  let count = 0
  for await (const event of readChain(client, { workflowId, runId, follow: false })) {
    if (event.workflowExecutionStartedEventAttributes) count++
  }
  return count
}

function usersOf({ messages }: ChatRequest): string[] {
  return messages.filter(({ role }) => role === 'user').map(({ content }) => `${content}`)
}

function slowly(reply: Reply): Reply {
  return { kind: 'delay', ms: 50, reply }
}

test('continue-as-new in the middle of a turn, with callers that wait and questions that arrive: all are answered once', async () => {
  const server = await startOwnServer({ dynamicConfig: SHORT })
  const { client, model } = await startHarness({
    agents: [testAgent({ limits: { maxSteps: 50 }, memory: 'none' })],
    // The first question takes 30 calls, each other one.
    respond: (request, { index }) =>
      index < 30
        ? slowly(callTool('lookup', { id: `A${index}` }))
        : say(`answer to ${usersOf(request).at(-1)}`),
    address: server.address,
  })
  const id = `s-${randomUUID()}`
  const session = await client.session('test-agent', { id })
  const { turn } = await session.submit('q1')
  const waiting = [1, 2, 3].map(() => session.result(turn))
  const asked: Promise<{ answer: string }>[] = []
  const steered: string[] = []
  for (let n = 2; n <= 9; n++) {
    await model.waitFor(3 * n)
    asked.push(session.ask(`q${n}`, { requestId: `r${n}` }))
    steered.push(`s${n}`)
    await session.steer(`s${n}`)
  }
  const answers = await Promise.all(waiting)
  expect(answers.map(({ answer }) => answer)).toEqual(Array(3).fill(answers[0]?.answer))
  expect((await Promise.all(asked)).map(({ answer }) => answer)).toEqual(
    [2, 3, 4, 5, 6, 7, 8, 9].map((n) => `answer to q${n}`),
  )
  expect(await executions(client, id)).toBeGreaterThan(3)
  const last = model.requests.at(-1)?.body
  const questions = [2, 3, 4, 5, 6, 7, 8, 9].map((n) => `q${n}`)
  expect(last && usersOf(last)).toEqual(['q1', ...steered, ...questions])
  expect(model.requests).toHaveLength(30 + 1 + 8)
})

test('a call that waits for approval is carried over continue-as-new', async () => {
  const server = await startOwnServer({ dynamicConfig: SHORT })
  const paid: object[] = []
  const pay = defineTool({
    name: 'pay',
    description: 'Use to pay.',
    input: z.object({ amount: z.number() }),
    annotations: { idempotentHint: true },
    approval: 'always',
    execute: (args) => {
      paid.push(args)
      return 'paid'
    },
  })
  const { client, model, startWorker } = await startHarness({
    agents: [testAgent({ tools: [pay], memory: 'none' })],
    script: [callTool('pay', { amount: 7 }), say('It is paid.')],
    address: server.address,
    withWorker: false,
  })
  const first = await startWorker()
  const id = `s-${randomUUID()}`
  const session = await client.session('test-agent', { id })
  const answer = session.ask('Pay 7.')
  const [before] = await untilWaiting(session)
  for (let n = 0; n < 20; n++) await session.steer(`s${n}`)
  expect(await executions(client, id)).toBeGreaterThan(1)
  await first.stop()
  await startWorker()
  const [after] = await untilWaiting(session)
  expect(after).toEqual(before)
  expect(paid).toEqual([])
  await session.approve(after.id, { by: 'ann' })
  expect(await answer).toMatchObject({ answer: 'It is paid.' })
  expect(paid).toEqual([{ amount: 7 }])
  const said = model.requests[1] && usersOf(model.requests[1].body)
  expect(said).toEqual(['Pay 7.', ...Array.from({ length: 20 }, (_, n) => `s${n}`)])
})

test('15 callers that wait for one turn at once all get its answer', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [{ kind: 'delay', ms: 1_500, reply: say('the answer') }],
  })
  const session = await client.session('test-agent', { id: `s-${randomUUID()}` })
  const asked = Array.from({ length: 15 }, () => session.ask('q', { requestId: 'the same' }))
  const answers = await Promise.all(asked)
  expect(answers.map(({ answer, turn }) => [answer, turn])).toEqual(
    Array(15).fill(['the answer', 1]),
  )
  expect(model.requests).toHaveLength(1)
})

test('15 callers with questions of their own at once are answered in order', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    respond: (request) => say(`answer to ${usersOf(request).at(-1)}`),
  })
  const session = await client.session('test-agent', { id: `s-${randomUUID()}` })
  const asked = Array.from({ length: 15 }, (_, n) => session.ask(`q${n}`))
  const answers = await Promise.all(asked)
  for (const [n, { answer }] of answers.entries()) expect(answer).toBe(`answer to q${n}`)
  expect(new Set(answers.map(({ turn }) => turn)).size).toBe(15)
  expect(model.requests).toHaveLength(15)
})
