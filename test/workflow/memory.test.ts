import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type RunResult } from '../../src/index.js'
import { type ChatRequest, callTool, type Reply, say, status } from '../../src/testing/index.js'
import { chainOf } from '../cases/history.js'
import { testAgent } from '../kit/agents.js'
import { startHarness } from '../kit/harness.js'
import { timelineOf } from '../kit/timeline.js'

const read = defineTool({
  name: 'read',
  description: 'Use when a passage is to be read.',
  input: z.object({ n: z.int() }),
  annotations: { readOnlyHint: true },
  execute: ({ n }) => `passage ${n}: ${'Nothing much is said in it. '.repeat(60)}`,
})

const GOAL = 'Read all passages, then say how many there were.'
const PRICES = {
  'test-model': { promptPerMillion: 1, completionPerMillion: 4 },
  'cheap-model': { promptPerMillion: 0.1, completionPerMillion: 0.4 },
}

const isSummary = ({ tools }: ChatRequest) => tools === undefined

/** An agent that reads so many passages, one a step, and the requests that came of it. */
async function reader(
  steps: number,
  options: Parameters<typeof testAgent>[0],
  summary: (nth: number) => Reply,
) {
  let summaries = 0
  let asked = 0
  const harness = await startHarness({
    agents: [testAgent({ tools: [read], limits: { maxSteps: steps + 1 }, ...options })],
    worker: { prices: PRICES },
    respond: (request) => {
      if (isSummary(request)) return summary(++summaries)
      return asked++ < steps ? callTool('read', { n: asked }) : say(`There were ${steps}.`)
    },
  })
  const run = await harness.client.start('test-agent', { input: GOAL })
  const result = await run.result()
  const requests = harness.model.requests.map(({ body }) => body)
  const handle = harness.client.client.workflow.getHandle(run.id)
  const events = await chainOf(harness.client.client, run.id)
  const { historySize = 0 } = await handle.describe()
  const { currentDetails } = await handle.query<{ currentDetails: string }, []>(
    '__temporal_workflow_metadata',
  )
  return {
    run,
    result,
    events,
    historySize,
    timeline: timelineOf(events),
    details: currentDetails,
    prompts: requests.filter((request) => !isSummary(request)),
    summaries: requests.filter(isSummary),
  }
}

/** System message and goal are in every prompt, word by word. */
function expectGoalKept(prompts: readonly ChatRequest[]): void {
  for (const { messages } of prompts) {
    expect(messages[0]).toEqual({ role: 'system', content: 'You are under test.' })
    // A summary begins the message that the goal ends.
    const ends = messages.filter(({ content }) => `\n\n${content}`.endsWith(`\n\n${GOAL}`))
    expect(ends).toHaveLength(1)
  }
}

/** What the models of a result cost by the price table. */
function costOf({ usageByModel }: RunResult): number {
  return Object.entries(usageByModel).reduce((sum, [model, usage]) => {
    const price = PRICES[model as keyof typeof PRICES]
    const { promptTokens, completionTokens } = usage
    return (
      sum +
      (promptTokens * price.promptPerMillion + completionTokens * price.completionPerMillion) / 1e6
    )
  }, 0)
}

test('30 steps under the default memory: summaries are activities of their own, and the prompt stays short', async () => {
  const { run, result, timeline, details, prompts, summaries } = await reader(30, {}, (nth) =>
    say(`Summary ${nth}: all was read so far.`),
  )
  expect(result).toMatchObject({ stopReason: 'answered', answer: 'There were 30.', steps: 31 })
  expect(summaries.length).toBeGreaterThan(1)
  const made = timeline.filter(({ type }) => type === 'summarize')
  expect(made).toHaveLength(summaries.length)
  expect(new Set(made.map(({ summary }) => summary))).toEqual(new Set(['summary · test-model']))
  expect(details).toMatch(
    /\| \d+\u2003 \| memory: \d+ messages summarised \| \u2003[1-9]\d* \| \u2003\d+\.\d \|/,
  )
  // Counted like every other call, and no step.
  expect(result.usage.modelCalls).toBe(31 + summaries.length)
  expect(result.models).toEqual({ 'test-model': 31 + summaries.length })
  expect(result.usageByModel['test-model']).toEqual(result.usage)
  expect(result.costUsd).toBeCloseTo(costOf(result), 10)
  expect((await run.steps()).map(({ step }) => step)).toEqual(
    Array.from({ length: 31 }, (_, i) => i + 1),
  )
  // Without memory the last prompt would have over 50,000 characters.
  const lengths = prompts.map((request) => JSON.stringify(request.messages).length)
  expect(Math.max(...lengths)).toBeLessThan(22_000)
  expectGoalKept(prompts)
  expect(JSON.stringify(prompts.at(-1)?.messages)).toContain(
    `left out:\\nSummary ${summaries.length}: all was read so far.`,
  )
  // Nothing vanished unseen: each passage was summarised or is still there, and no summary is forgotten.
  const seen = summaries.map(({ messages }) => String(messages[1]?.content))
  const last = prompts.at(-1)?.messages ?? []
  for (let n = 1; n <= 30; n++) {
    const isThere = last.some(({ content }) => String(content).startsWith(`passage ${n}:`))
    expect(seen.filter((text) => text.includes(`result: passage ${n}:`))).toHaveLength(
      isThere ? 0 : 1,
    )
  }
  expect(seen.slice(1).every((text, i) => text.includes(`Summary ${i + 1}: all was`))).toBe(true)
  // The newest six messages are as they were.
  expect(last.slice(-6).map(({ role }) => role)).toEqual(
    Array(3).fill(['assistant', 'tool']).flat(),
  )
})

test('a cheaper model that is named writes the summaries, in as many words as it may', async () => {
  const chatty = 'word '.repeat(400)
  const { result, timeline, prompts, summaries } = await reader(
    14,
    { memory: { summary: { model: 'cheap-model', maxWords: 50, keepMessages: 2 } } },
    () => say(chatty),
  )
  expect(summaries.length).toBeGreaterThan(0)
  expect(summaries.map(({ model }) => model)).toEqual(summaries.map(() => 'cheap-model'))
  expect(summaries[0]?.messages[0]?.content).toContain('in at most 50 words')
  expect(new Set(prompts.map(({ model }) => model))).toEqual(new Set(['test-model']))
  expect(result.models).toEqual({ 'test-model': 15, 'cheap-model': summaries.length })
  expect(result.costUsd).toBeCloseTo(costOf(result), 10)
  expect(timeline.find(({ type }) => type === 'summarize')?.summary).toBe('summary · cheap-model')
  const [summary] = (prompts.at(-1)?.messages ?? []).filter(({ content }) =>
    String(content).startsWith('Summary of the conversation'),
  )
  expect(String(summary?.content).replace(GOAL, '').length).toBeLessThan(50 * 12 + 100)
  expectGoalKept(prompts)
})

test('a summariser that is down costs the older messages, not the run', async () => {
  const { result, timeline, details, prompts, summaries } = await reader(12, {}, () => status(500))
  expect(result).toMatchObject({ stopReason: 'answered', steps: 13, usage: { modelCalls: 13 } })
  const made = timeline.filter(({ type }) => type === 'summarize')
  expect(made.length).toBeGreaterThan(0)
  expect(summaries).toHaveLength(2 * made.length)
  expect(details).toMatch(/memory: no summary: \d+ dropped/)
  const lengths = prompts.map((request) => JSON.stringify(request.messages).length)
  expect(Math.max(...lengths)).toBeLessThan(22_000)
  expectGoalKept(prompts)
  expect(JSON.stringify(prompts.at(-1))).toContain('Earlier messages were left out')
})

test('200 steps stay in one execution, and their prompts stay short', async () => {
  const { result, prompts, events, historySize } = await reader(200, {}, (nth) =>
    say(`Summary ${nth}.`),
  )
  expect(result).toMatchObject({ stopReason: 'answered', steps: 201 })
  const [first] = events
  expect(first?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId).toBeFalsy()
  // The server suggests continuing as new at 4,096 events or 4 MB.
  expect(events.length).toBeLessThan(3_000)
  expect(historySize).toBeLessThan(1_300_000)
  const lengths = prompts.map((request) => JSON.stringify(request.messages).length)
  expect(Math.max(...lengths)).toBeLessThan(22_000)
  expectGoalKept(prompts)
})
