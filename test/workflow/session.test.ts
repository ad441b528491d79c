import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AgentRunError, type SessionHandle, TurnCancelledError } from '../../src/client.js'
import { callTool, hang, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'

interface Asked {
  readonly role: string
  readonly content: string | null
}

function said(request: { readonly body: { readonly messages: readonly unknown[] } } | undefined) {
  const messages = (request?.body.messages ?? []) as readonly Asked[]
  return messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => [role, content])
}

async function untilStatus(
  session: SessionHandle,
  is: (status: Awaited<ReturnType<SessionHandle['status']>>) => boolean,
) {
  while (!is(await session.status())) await sleep(20)
}

test('a conversation of several turns: each prompt has what was said before', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [callTool('lookup', { id: 'A1' }), say('It is on its way.'), say('You asked for A1.')],
  })
  const session = await client.session('test-agent', { id: `s-${randomUUID()}` })
  expect(session.attached).toBe(false)
  expect(await session.ask('Where is A1?')).toMatchObject({
    turn: 1,
    answer: 'It is on its way.',
    stopReason: 'answered',
    steps: 2,
  })
  expect(await session.ask('What did I ask for?')).toMatchObject({
    turn: 2,
    answer: 'You asked for A1.',
    steps: 1,
  })
  expect(said(model.requests[2])).toEqual([
    ['user', 'Where is A1?'],
    ['assistant', 'It is on its way.'],
    ['user', 'What did I ask for?'],
  ])
  expect(await session.status()).toMatchObject({ turns: 2, running: null, queued: 0 })
})

test('questions queue in order; the same request id asks once', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    respond: ({ messages }) => say(`answer to ${messages.at(-1)?.content}`),
  })
  const session = await client.session('test-agent', { id: `s-${randomUUID()}` })
  const asked = [1, 2, 3, 2].map((n) => session.ask(`q${n}`, { requestId: `r${n}` }))
  const answers = await Promise.all(asked)
  expect(answers.map(({ answer }) => answer).sort()).toEqual(
    ['answer to q1', 'answer to q2', 'answer to q2', 'answer to q3'].sort(),
  )
  expect(new Set(answers.map(({ turn }) => turn)).size).toBe(3)
  expect(model.requests).toHaveLength(3)
  const again = await client.session('test-agent', { id: session.id })
  expect(again.attached).toBe(true)
  expect(await again.ask('q1', { requestId: 'r1' })).toMatchObject({ answer: 'answer to q1' })
  expect(model.requests).toHaveLength(3)
})

test('steering reaches the running turn before its next model call, and an answer that crossed it is not the end', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [
      { kind: 'delay', ms: 300, reply: callTool('lookup', { id: 'A1' }) },
      { kind: 'delay', ms: 300, reply: say('A1 is here.') },
      say('A1 and B2 are here.'),
    ],
  })
  const session = await client.session('test-agent', { id: `s-${randomUUID()}` })
  await expect(session.steer('too early')).rejects.toMatchObject({ reason: 'no_turn' })
  const answer = session.ask('Look for A1.')
  await model.waitFor(1)
  await session.steer('also check B2')
  await model.waitFor(2)
  await session.steer('and tell both')
  expect(await answer).toMatchObject({ answer: 'A1 and B2 are here.', steps: 3 })
  expect(said(model.requests[1]).at(-1)).toEqual(['user', 'also check B2'])
  expect(said(model.requests[2]).slice(-2)).toEqual([
    ['assistant', 'A1 is here.'],
    ['user', 'and tell both'],
  ])
})

test('interrupt ends the turn with a forced answer', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [
      { kind: 'delay', ms: 300, reply: callTool('lookup', { id: 'A1' }) },
      say('This is what I have.'),
      say('Back again.'),
    ],
  })
  const session = await client.session('test-agent', { id: `s-${randomUUID()}` })
  const answer = session.ask('Look for everything.')
  await model.waitFor(1)
  await session.interrupt({ by: 'ann' })
  expect(await answer).toMatchObject({
    answer: 'This is what I have.',
    stopReason: 'interrupted',
  })
  expect(await session.ask('Go on.')).toMatchObject({ answer: 'Back again.' })
  expect(said(model.requests[2]).slice(-2)).toEqual([
    ['assistant', 'This is what I have.'],
    ['user', 'Go on.'],
  ])
})

test('a cancelled turn ends at once and the conversation goes on', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    script: [hang(), say('Hello again.')],
  })
  const session = await client.session('test-agent', { id: `s-${randomUUID()}` })
  const answer = session.ask('Hang.')
  const cancelled = expect(answer).rejects.toThrow(TurnCancelledError)
  await model.waitFor(1)
  await session.cancelTurn()
  await cancelled
  expect(await session.ask('Are you there?')).toMatchObject({ turn: 2, answer: 'Hello again.' })
  const roles = said(model.requests[1]).map(([role]) => role)
  expect(roles).toEqual(['user', 'assistant', 'user'])
})

test('a turn that fails fails alone', async () => {
  const { client } = await startHarness({
    agents: [testAgent({ modelRetry: { maximumAttempts: 1 } })],
    script: [{ kind: 'raw', status: 500, headers: {}, body: 'down' }, say('Up again.')],
  })
  const session = await client.session('test-agent', { id: `s-${randomUUID()}` })
  const failed = session.ask('Are you up?')
  await expect(failed).rejects.toThrow(AgentRunError)
  await expect(failed).rejects.toMatchObject({ reason: 'model_error' })
  expect(await session.ask('And now?')).toMatchObject({ answer: 'Up again.' })
})

test('a closed session answers what waits, and is opened again with its conversation', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    respond: ({ messages }, { index }) =>
      index === 0
        ? { kind: 'delay', ms: 300, reply: say('one') }
        : say(`answer to ${messages.at(-1)?.content}`),
  })
  const id = `s-${randomUUID()}`
  const session = await client.session('test-agent', { id })
  const first = session.ask('q1')
  await model.waitFor(1)
  const second = session.ask('q2')
  await untilStatus(session, ({ queued }) => queued === 1)
  await session.close()
  await expect(session.ask('q3')).rejects.toMatchObject({ reason: 'closed' })
  expect(await first).toMatchObject({ answer: 'one' })
  expect(await second).toMatchObject({ answer: 'answer to q2' })
  await client.client.workflow.getHandle(id).result()
  const again = await client.session('test-agent', { id })
  expect(again.attached).toBe(false)
  expect(await again.ask('q4')).toMatchObject({ turn: 3, answer: 'answer to q4' })
  expect(said(model.requests.at(-1)).map(([, content]) => content)).toEqual([
    'q1',
    'one',
    'q2',
    'answer to q2',
    'q4',
  ])
})

test('an idle session closes by itself, and the next question opens it again', async () => {
  const { client } = await startHarness({
    agents: [testAgent()],
    respond: ({ messages }) => say(`answer to ${messages.at(-1)?.content}`),
  })
  const id = `s-${randomUUID()}`
  const session = await client.session('test-agent', { id, idleTimeout: '500ms' })
  await session.ask('q1')
  const end = await client.client.workflow.getHandle(id).result()
  expect(end).toMatchObject({ reason: 'idle', turns: 1 })
  expect(await session.ask('q2')).toMatchObject({ turn: 2, answer: 'answer to q2' })
})

test('more questions than may wait are refused, and nothing is lost', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent()],
    respond: (_, { index }) =>
      index === 0 ? { kind: 'delay', ms: 500, reply: say('first') } : say('next'),
  })
  const id = `s-${randomUUID()}`
  const session = await client.session('test-agent', { id, maxQueued: 2 })
  const asked = [session.ask('q1')]
  await model.waitFor(1)
  asked.push(session.ask('q2'), session.ask('q3'))
  await untilStatus(session, ({ queued }) => queued === 2)
  await expect(session.ask('q4')).rejects.toMatchObject({ reason: 'queue_full' })
  expect((await Promise.all(asked)).map(({ answer }) => answer)).toEqual(['first', 'next', 'next'])
  expect(model.requests).toHaveLength(3)
})
