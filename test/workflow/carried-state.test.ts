import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { serverConfig } from '../../src/config.js'
import { defineTool, ToolError } from '../../src/index.js'
import {
  type ChatRequest,
  callTool,
  callTools,
  type DevServer,
  delay,
  type Reply,
  say,
  startDevServer,
} from '../../src/testing/index.js'
import { type Outcome, openStage } from '../cases/kit.js'
import { testAgent } from '../kit/agents.js'
import { timelineOf } from '../kit/timeline.js'

const { path, dir } = serverConfig()
let server: DevServer
beforeAll(async () => {
  // The default is 4,096 events, 340 steps; these are three or four steps.
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 40 }
  server = await startDevServer({ path, dir, headless: true, dynamicConfig })
})
afterAll(() => server.kill())

/** How many executions a chain has. */
function executions(events: Outcome['events']): number {
  return events.filter((event) => event.workflowExecutionStartedEventAttributes).length
}

const looking = { input: z.object({ id: z.string() }), annotations: { readOnlyHint: true } }
const description = 'Use when the test says so.'

/** One of each kind of tool whose state is carried. */
function carriedTools() {
  const ran: string[] = []
  const tool = (name: string, options: object, text = (id: string) => `${name} ${id}`) =>
    defineTool({
      ...looking,
      ...options,
      name,
      description,
      execute: ({ id }) => {
        ran.push(`${name} ${id}`)
        if (name === 'failing') throw new ToolError(`no ${id}`)
        return text(id)
      },
    })
  const tools = [
    tool('plain', {}),
    tool('kept', { cache: 'turn' }),
    tool('quick', { local: true }),
    tool('scarce', { maxCalls: 2 }),
    tool('long', {}, (id) => `${id} ${'words '.repeat(700)}the end`),
    tool('failing', {}),
  ]
  return { tools, ran }
}

test('what a run has learnt is carried: cached results, rests, counts, summaries, all that was used', async () => {
  const { tools, ran } = carriedTools()
  const memory = { summary: { keepMessages: 4, aboveTokens: 300 } }
  const agent = testAgent({ tools, memory, limits: { maxSteps: 40 } })
  const worker = { prices: { 'test-model': { promptPerMillion: 1, completionPerMillion: 2 } } }
  const stage = await openStage({ agents: [agent], address: server.address, worker })
  let id = ''
  const filler = (n: number) =>
    callTools([
      { name: 'plain', args: { id: `A${n}` } },
      { name: 'quick', args: { id: `A${n}` } },
    ])
  const script: Record<number, Reply> = {
    0: callTools(['kept', 'long', 'scarce'].map((name) => ({ name, args: { id: 'A' } }))),
    8: callTools(['kept', 'scarce'].map((name) => ({ name, args: { id: 'A' } }))),
    16: callTools(['kept', 'scarce'].map((name) => ({ name, args: { id: 'A' } }))),
    20: say('done'),
  }
  let asked = 0
  const outcome = await stage.play({
    respond: ({ tools: offered, messages }) => {
      if (offered === undefined) return say('All went well.')
      id =
        /read_more shows them: id "(\w+)"/.exec(
          JSON.stringify(messages).replaceAll('\\', ''),
        )?.[1] ?? id
      const n = asked++
      if (n === 12) return callTool('read_more', { id, page: 1 })
      return script[n] ?? filler(n)
    },
  })
  const { result, events, steps, requests } = outcome
  expect(executions(events)).toBeGreaterThan(2)
  const summaries = requests.filter(({ body }) => body.tools === undefined)
  expect(summaries.length).toBeGreaterThan(1)
  expect(result).toMatchObject({
    stopReason: 'answered',
    steps: 21,
    usage: { modelCalls: 21 + summaries.length },
    usageByModel: { 'test-model': { modelCalls: 21 + summaries.length } },
  })
  const { promptTokens = 0, completionTokens = 0 } = result?.usage ?? {}
  expect(result?.costUsd).toBeCloseTo((promptTokens + 2 * completionTokens) / 1e6, 10)
  expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: 21 }, (_, i) => i + 1))
  expect(steps.map(({ status }) => status)).toEqual(Array(21).fill('done'))
  const statuses = (step: number) => steps[step]?.calls.map(({ status }) => status)
  expect([0, 8, 16].map(statuses)).toEqual([
    ['ok', 'ok', 'ok'],
    ['cached', 'ok'],
    ['cached', 'refused'],
  ])
  expect(steps[16]?.calls[0]?.observation).toBe('kept A')
  expect(steps[12]?.calls[0]).toMatchObject({ name: 'read_more', status: 'ok' })
  expect(steps[12]?.calls[0]?.observation).toMatch(/^\[page 1 of 2 of what was left out\]\n.*words/)
  const times = new Set(ran)
  expect(ran.length - times.size).toBe(1)
  expect(ran.filter((call) => call === 'scarce A')).toHaveLength(2)
  expect(
    timelineOf(events)
      .filter(({ type }) => type === 'quick')
      .every(({ local }) => local),
  ).toBe(true)
  for (const { body } of requests) {
    if (body.tools === undefined) continue
    expect(body.messages[0]?.content).toBe('You are under test.')
    expect(JSON.stringify(body.messages)).toContain('Go. [1]')
  }
})

test('the rules hold across executions, wherever the cut falls', async () => {
  const { tools } = carriedTools()
  const of = (name: string, limits: object) =>
    testAgent({ name, tools, limits: { maxSteps: 12, ...limits } })
  const stage = await openStage({
    agents: [
      of('test-agent', {}),
      of('frugal', { maxSteps: 100, maxTokens: 6_000 }),
      of('hasty', { maxSteps: 100, deadline: '6s' }),
    ],
    address: server.address,
  })
  const repeated = (before: number) => (n: number) =>
    n < before ? callTool('plain', { id: `A${n}` }) : callTool('plain', { id: 'same' })
  const failing = (before: number) => (n: number) =>
    callTool(n < before ? 'plain' : 'failing', { id: `A${n}` })
  const restless = (n: number) => callTool('plain', { id: `A${n}` })
  const slow = (n: number) => delay(100, restless(n))
  const play = (reply: (n: number) => Reply, agent = 'test-agent') =>
    stage.play({
      agent,
      respond: ({ tools: offered }: ChatRequest, { index }) =>
        offered === undefined ? say('That is all.') : reply(index),
    })
  const befores = [0, 1, 2, 3, 4, 5]
  const [repeats, errors, [steps, tokens, time]] = await Promise.all([
    Promise.all(befores.map((before) => play(repeated(before)))),
    Promise.all(befores.map((before) => play(failing(before)))),
    Promise.all([play(restless), play(restless, 'frugal'), play(slow, 'hasty')]),
  ])
  const ends = (outcomes: readonly Outcome[]) =>
    outcomes.map(({ result }) => `${result?.stopReason} after ${result?.steps}`)
  expect(ends(repeats)).toEqual(befores.map((before) => `repeats after ${before + 3}`))
  expect(ends(errors)).toEqual(befores.map((before) => `tool_errors after ${before + 3}`))
  for (const { events } of [...repeats, ...errors].filter((_, i) => i % 6 > 3)) {
    expect(executions(events)).toBeGreaterThan(1)
  }
  expect(ends([steps])).toEqual(['max_steps after 12'])
  expect(tokens.result).toMatchObject({ stopReason: 'token_budget', answer: 'That is all.' })
  expect(tokens.result?.usage.totalTokens).toBeLessThanOrEqual(6_000)
  expect(tokens.result?.usage.totalTokens).toBeGreaterThan(3_600)
  expect(time.result).toMatchObject({ stopReason: 'deadline' })
  const begun = time.steps[0]?.startedAt.getTime() ?? 0
  expect(Math.max(...time.requests.map(({ at }) => at)) - begun).toBeLessThan(6_000)
  for (const { events } of [steps, tokens, time]) expect(executions(events)).toBeGreaterThan(1)
})
