import { expect, test } from 'vitest'
import { z } from 'zod'
import { createCheckCall } from '../../../src/activities/check-call.js'
import { readReply } from '../../../src/activities/read-reply.js'
import { offeredTools } from '../../../src/agent/prompt.js'
import type { ToolOptions } from '../../../src/definition/define-tool.js'
import { defineTool } from '../../../src/definition/define-tool.js'
import type { Agent } from '../../../src/index.js'
import { attempt, rejection } from './attempt.js'
import { agentWith, manifestOf } from './sample.js'

const input = z.object({ amount: z.number().positive() })
type Approval = ToolOptions<typeof input, never>['approval']

function paying(approval: Approval, changes: Partial<ToolOptions<typeof input, never>> = {}) {
  const tool = defineTool({
    name: 'pay',
    description: 'Use to pay.',
    input,
    execute: () => 'paid',
    ...(approval === undefined ? {} : { approval }),
    ...changes,
  })
  return agentWith({ tools: [tool], askUser: true })
}

/** What callModel records of a call with these arguments. */
async function read(agent: Agent, args: object, context: object | null = null, name = 'pay') {
  const { run, logged } = attempt()
  const manifest = manifestOf(agent)
  const offered = { ...manifest, tools: offeredTools(manifest) }
  const worker = { tools: agent.tools, context: context as null }
  const calls = [{ name, arguments: JSON.stringify(args) }]
  const raw = { text: '', calls, finish: 'stop', tokens: null } as const
  const { calls: found } = await run(() => readReply(raw, offered, worker), undefined)
  return { call: found[0], logged }
}

test('a rule says yes, no, or why, from checked arguments', async () => {
  const rule = paying(({ amount }) => (amount > 100 ? `${amount} is above 100` : amount > 50))
  expect((await read(rule, { amount: 150 })).call?.approval).toBe('150 is above 100')
  expect((await read(rule, { amount: 60 })).call?.approval).toBe('')
  expect((await read(rule, { amount: 10 })).call).not.toHaveProperty('approval')
})

test('a rule knows who is asking', async () => {
  const agent = paying((_, { context }) => context.isStaff !== true)
  expect((await read(agent, { amount: 1 }, { isStaff: true })).call).not.toHaveProperty('approval')
  expect((await read(agent, { amount: 1 }, { isStaff: false })).call?.approval).toBe('')
})

test('a rule that throws means yes, and the log has the error', async () => {
  const agent = paying(() => {
    throw new Error('broken')
  })
  const { call, logged } = await read(agent, { amount: 1 })
  expect(call?.approval).toContain('failed')
  expect(logged.map(({ message }) => message)).toEqual(['approval rule failed'])
})

test('always asks and never does not, whatever the arguments', async () => {
  expect((await read(paying('always'), { amount: 1 })).call?.approval).toBe('')
  const never = paying('never', { annotations: { destructiveHint: true } })
  expect((await read(never, { amount: 1 })).call).not.toHaveProperty('approval')
})

test('a call that must not run anyway asks nobody', async () => {
  const { call } = await read(paying('always'), { amount: -1 })
  expect(call?.problem).toContain('invalid_arguments')
  expect(call).not.toHaveProperty('approval')
})

test('tools that may destroy ask by default; an agent may want more, or none', async () => {
  const destructive = { annotations: { destructiveHint: true } } as const
  expect((await read(paying(undefined, destructive), { amount: 1 })).call?.approval).toBe('')
  expect((await read(paying(undefined), { amount: 1 })).call).not.toHaveProperty('approval')
  const { tools } = paying(undefined, destructive)
  const none = agentWith({ tools, approvals: { default: 'never' } })
  expect((await read(none, { amount: 1 })).call).not.toHaveProperty('approval')
  const writes = agentWith({ tools: paying(undefined).tools, approvals: { default: 'writes' } })
  expect((await read(writes, { amount: 1 })).call?.approval).toBe('')
})

test('ask_user needs a question', async () => {
  const agent = paying(undefined)
  expect((await read(agent, { question: 'Which?' }, null, 'ask_user')).call).toEqual({
    name: 'ask_user',
    args: { question: 'Which?' },
  })
  expect((await read(agent, { question: ' ' }, null, 'ask_user')).call?.problem).toBeDefined()
  const without = agentWith()
  expect((await read(without, { question: 'Which?' }, null, 'ask_user')).call?.problem).toContain(
    'unknown_tool',
  )
})

test('changed arguments are checked by the tool, and an unknown tool is final', async () => {
  const { run } = attempt()
  const agent = paying('always')
  const check = createCheckCall(new Map([[agent.name, agent]]))
  const call = { agent: agent.name, tool: 'pay' }
  expect(await run(check, { ...call, args: { amount: 5 } })).toEqual({ args: { amount: 5 } })
  expect(await run(check, { ...call, args: { amount: -5 } })).toMatchObject({
    problem: expect.stringContaining('amount'),
  })
  expect(await rejection(run(check, { ...call, tool: 'gone', args: {} }))).toMatchObject({
    nonRetryable: true,
    message: expect.stringContaining('no tool "gone"'),
  })
})
