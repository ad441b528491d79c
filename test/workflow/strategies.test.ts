import { expect, test } from 'vitest'
import { z } from 'zod'
import { callTool, say, status } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'

const strategies = [
  { name: 'angry', when: 'They are angry.', instructions: 'Stay calm.' },
  { name: 'waiting', when: 'They wait for something.', instructions: 'Say when.' },
]

test('a strategy is chosen by one recorded model call before the first step, and shapes every prompt', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent({ strategies })],
    script: [say('"Waiting".'), callTool('lookup', { id: 'A1' }), say('Tomorrow.')],
  })
  const run = await client.start('test-agent', { input: 'Where is A1?' })
  expect(await run.result()).toMatchObject({
    answer: 'Tomorrow.',
    strategy: 'waiting',
    steps: 2,
    usage: { modelCalls: 3 },
  })
  const [choice, ...prompts] = model.requests.map(({ body }) => body)
  expect(choice?.tools).toBeUndefined()
  expect(choice?.messages[0]?.content).toContain('- angry: They are angry.\n- waiting: They wait')
  expect(choice?.messages[1]?.content).toBe('user: Where is A1?')
  expect(prompts.map((body) => body?.messages[0]?.content)).toEqual(
    Array(2).fill('You are under test.\n\nSay when.'),
  )
  expect((await run.steps()).map(({ step, strategy }) => [step, strategy])).toEqual([
    [1, 'waiting'],
    [2, 'waiting'],
  ])
  const handle = client.client.workflow.getHandle(run.id)
  const { events } = await handle.fetchHistory()
  const scheduled = (events ?? []).filter((event) => event.activityTaskScheduledEventAttributes)
  const [first] = scheduled
  expect(first?.activityTaskScheduledEventAttributes?.activityType?.name).toBe('chooseStrategy')
  const summary = first?.userMetadata?.summary?.data
  expect(Buffer.from(summary ?? '').toString()).toBe('"strategy · test-model"')
})

test('a choice that fails means none, and costs the run nothing', async () => {
  const { client, model } = await startHarness({
    agents: [testAgent({ strategies })],
    respond: ({ tools }) => (tools === undefined ? status(500) : say('Hello.')),
  })
  const run = await client.start('test-agent', { input: 'Hi' })
  const result = await run.result()
  expect(result).toMatchObject({ answer: 'Hello.', steps: 1, usage: { modelCalls: 1 } })
  expect(result.strategy).toBeUndefined()
  expect(model.requests.map(({ status: code }) => code)).toEqual([500, 500, 200])
  expect(model.requests[2]?.body?.messages[0]?.content).toBe('You are under test.')
})

test('instructions made of the context are recorded with the run', async () => {
  const { client, model } = await startHarness({
    agents: [
      testAgent({
        context: z.object({ plan: z.string() }),
        instructions: (context: unknown) => `Plan: ${(context as { plan: string }).plan}.`,
      }),
    ],
    script: [say('Hello.')],
  })
  const run = await client.start('test-agent', { input: 'Hi', context: { plan: 'gold' } })
  await run.result()
  expect(model.requests[0]?.body?.messages[0]?.content).toBe('Plan: gold.')
})
