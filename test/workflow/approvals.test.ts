import { expect, test } from 'vitest'
import { z } from 'zod'
import { SessionError } from '../../src/client.js'
import { defineTool } from '../../src/index.js'
import { callTool, callTools, say } from '../../src/testing/index.js'
import { lookup, testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { refundTool } from '../kit/refund-tool.js'
import { untilWaiting } from '../kit/until-waiting.js'

function observations(request: { readonly body: { readonly messages: readonly unknown[] } }) {
  const messages = request.body.messages as { role: string; content: string }[]
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
}

test('a call that needs approval waits for it; one that needs none goes ahead at once', async () => {
  const paid: object[] = []
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [lookup, refundTool(paid)] })],
    script: [
      callTools([
        { name: 'refund', args: { order: 'A1', amount: 150 } },
        { name: 'refund', args: { order: 'A2', amount: 20 } },
        { name: 'lookup', args: { id: 'A3' } },
      ]),
      say('Done.'),
    ],
  })
  const run = await client.start('test-agent', { input: 'Pay back.' })
  const [request] = await untilWaiting(run)
  expect(request).toMatchObject({
    kind: 'approval',
    tool: 'refund',
    args: { order: 'A1', amount: 150 },
    text: '150 is above 100',
    turn: 1,
    step: 1,
    call: 1,
  })
  expect(paid).toEqual([{ order: 'A2', amount: 20 }])
  await run.approve(request.id, { by: 'ann' })
  expect(await run.result()).toMatchObject({ answer: 'Done.', stopReason: 'answered', steps: 2 })
  expect(paid).toHaveLength(2)
  expect(await run.pendingApprovals()).toEqual([])
  expect(observations(model.requests[1] ?? never())).toMatchObject([
    '{"paid":150}',
    '{"paid":20}',
    '{"id":"A3","found":true}',
  ])
})

test('a denied call is not run, and the model reads why', async () => {
  const paid: object[] = []
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [refundTool(paid)] })],
    script: [callTool('refund', { order: 'A1', amount: 500 }), say('I may not.')],
  })
  const run = await client.start('test-agent', { input: 'Pay back.' })
  const [request] = await untilWaiting(run)
  await run.deny(request.id, { by: 'bob', reason: 'ask the customer first' })
  expect(await run.result()).toMatchObject({ answer: 'I may not.' })
  expect(paid).toEqual([])
  const [text = ''] = observations(model.requests[1] ?? never())
  expect(JSON.parse(text)).toMatchObject({
    status: 'error',
    error_type: 'denied',
    retryable: false,
  })
  expect(text).toContain('ask the customer first')
})

test('changed arguments are checked, run, and told to the model', async () => {
  const paid: object[] = []
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [refundTool(paid)] })],
    script: [callTool('refund', { order: 'A1', amount: 500 }), say('Less than asked.')],
  })
  const run = await client.start('test-agent', { input: 'Pay back.' })
  const [request] = await untilWaiting(run)
  const bad = run.approve(request.id, { args: { order: 'A1', amount: -5 } })
  await expect(bad).rejects.toThrow(SessionError)
  await expect(bad).rejects.toMatchObject({ reason: 'invalid_arguments' })
  expect(await run.pendingApprovals()).toHaveLength(1)
  await run.approve(request.id, { args: { order: 'A1', amount: 80 }, by: 'ann' })
  await run.result()
  expect(paid).toEqual([{ order: 'A1', amount: 80 }])
  const [text = ''] = observations(model.requests[1] ?? never())
  expect(text).toContain('a person changed the arguments to {"order":"A1","amount":80}')
  expect(text).toContain('{"paid":80}')
})

test('what nobody approves in time is denied, and the run goes on', async () => {
  const paid: object[] = []
  const { client, model } = await startHarness({
    agents: [testAgent({ tools: [refundTool(paid)], approvals: { deadline: '1s' } })],
    script: [callTool('refund', { order: 'A1', amount: 500 }), say('Nobody was there.')],
  })
  const run = await client.start('test-agent', { input: 'Pay back.' })
  expect(await run.result()).toMatchObject({ answer: 'Nobody was there.' })
  expect(paid).toEqual([])
  expect(observations(model.requests[1] ?? never())[0]).toContain('Nobody said anything in time')
})

test('a tool is approved for the rest of the turn', async () => {
  const paid: object[] = []
  const { client } = await startHarness({
    agents: [testAgent({ tools: [refundTool(paid)] })],
    script: [
      callTools([
        { name: 'refund', args: { order: 'A1', amount: 150 } },
        { name: 'refund', args: { order: 'A2', amount: 250 } },
      ]),
      callTool('refund', { order: 'A3', amount: 350 }),
      say('All paid.'),
    ],
  })
  const run = await client.start('test-agent', { input: 'Pay back.' })
  const [request] = await untilWaiting(run, 2)
  await run.approve(request.id, { all: true, by: 'ann' })
  expect(await run.result()).toMatchObject({ answer: 'All paid.' })
  expect(paid).toHaveLength(3)
})

test('what does not wait cannot be decided, and the error says what does', async () => {
  const { client } = await startHarness({
    agents: [testAgent({ tools: [refundTool()] })],
    script: [callTool('refund', { order: 'A1', amount: 150 }), say('Paid.')],
  })
  const run = await client.start('test-agent', { input: 'Pay back.' })
  const [request] = await untilWaiting(run)
  await expect(run.approve('nonsense')).rejects.toMatchObject({ reason: 'not_waiting' })
  await expect(run.approve('nonsense')).rejects.toThrow(request.id)
  await expect(run.answer('hello')).rejects.toMatchObject({ reason: 'not_waiting' })
  await run.approve(request.id)
  await run.result()
  await expect(run.approve(request.id)).rejects.toMatchObject({ reason: 'ended' })
})

test('a tool that may destroy something needs approval unless the agent says otherwise', async () => {
  const wipe = defineTool({
    name: 'wipe',
    description: 'Use to delete everything.',
    input: z.object({}),
    annotations: { destructiveHint: true, idempotentHint: true },
    execute: () => 'wiped',
  })
  const script = [callTool('wipe', {}), say('Gone.')]
  const asking = await startHarness({ agents: [testAgent({ tools: [wipe] })], script })
  const run = await asking.client.start('test-agent', { input: 'Wipe it.' })
  const [request] = await untilWaiting(run)
  await run.approve(request.id)
  expect(await run.result()).toMatchObject({ answer: 'Gone.' })

  const free = [testAgent({ tools: [wipe], approvals: { default: 'never' } })]
  const bold = await startHarness({ agents: free, script })
  const second = await bold.client.start('test-agent', { input: 'Wipe it.' })
  expect(await second.result()).toMatchObject({ answer: 'Gone.', steps: 2 })
})

test('a rule that throws means that approval is needed', async () => {
  const fragile = defineTool({
    name: 'fragile',
    description: 'Use when the test says so.',
    input: z.object({}),
    approval: () => {
      throw new Error('the rule is broken')
    },
    execute: () => 'ran',
  })
  const { client } = await startHarness({
    agents: [testAgent({ tools: [fragile] })],
    script: [callTool('fragile', {}), say('Ran.')],
  })
  const run = await client.start('test-agent', { input: 'Go.' })
  const [request] = await untilWaiting(run)
  expect(request.text).toContain('failed')
  await run.approve(request.id)
  expect(await run.result()).toMatchObject({ answer: 'Ran.' })
})

test('the model asks the user a question, and reads the answer', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent({ askUser: true })],
    script: [callTool('ask_user', { question: 'Which order?' }), say('It is A1.')],
  })
  const run = await client.start('test-agent', { input: 'Where is my order?' })
  const [request] = await untilWaiting(run)
  expect(request).toMatchObject({ kind: 'question', tool: 'ask_user', text: 'Which order?' })
  await run.answer('A1', { by: 'customer' })
  expect(await run.result()).toMatchObject({ answer: 'It is A1.' })
  expect(observations(model.requests[1] ?? never())).toEqual(['A1'])
})

function never(): never {
  throw new Error('the model was not asked')
}
