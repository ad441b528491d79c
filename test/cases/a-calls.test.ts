import { expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonValue } from '../../src/index.js'
import { defineTool, ToolError } from '../../src/index.js'
import { callTools, raw, say, sse } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { toolsScheduled } from './history.js'
import { observations, openStage } from './kit.js'

const base = { description: 'Use when the test says so.' }

const CALL = '{"name":"weather","arguments":{"city":"Oslo"}}'
const TEXT_CALLS = [
  CALL,
  `\n ${CALL}\n`,
  `<tool_call>${CALL}</tool_call>`,
  `<tool_call>\n${CALL}\n</tool_call>\n`,
  `\`\`\`json\n${CALL}\n\`\`\``,
  `\`\`\`\n${CALL}\n\`\`\``,
  '{"name":"weather","parameters":{"city":"Oslo"}}',
  '{"type":"function","function":{"name":"weather","arguments":{"city":"Oslo"}}}',
  '{"name":"weather","arguments":"{\\"city\\":\\"Oslo\\"}"}',
]
const NO_TEXT_CALLS = [
  `To ask for the weather I would send ${CALL}`,
  `${CALL} is what I would send.`,
  `\`\`\`json\n${CALL}\n\`\`\`\nShall I?`,
  `<tool_call>${CALL}</tool_call> Done.`,
  `"${CALL.replaceAll('"', '\\"')}"`,
  `[${CALL}]`,
  `${CALL}\n${CALL}`,
  '{"name":"wether","arguments":{"city":"Oslo"}}',
  '{"name":"weather","arguments":{"town":"Oslo"}}',
  '{"name":"weather","arguments":[]}',
  '{"name":"weather"}',
  '{"name":"weather","arguments":{"city":"Oslo"},"temperature":12}',
  '{"name":"constructor","arguments":{}}',
  '{"name":"","arguments":{}}',
  '{"city":"Oslo"}',
  '{"name":"weather","arguments":{"city":"Oslo"}',
  '<tool_call></tool_call>',
]

test('B11 · calls that are written as text', async () => {
  const weather = defineTool({
    ...base,
    name: 'weather',
    input: z.object({ city: z.string() }),
    execute: ({ city }) => `sunny in ${city}`,
  })
  const tools = [weather]
  const stage = await openStage({
    agents: [testAgent({ tools }), testAgent({ name: 'parsing', tools, parseTextToolCalls: true })],
  })
  const play = (agent: string, text: string) =>
    stage.play({ agent, script: [say(text), say('It is sunny.')] })
  // Off, as it is by default: the text is the answer, whatever it is.
  const off = [...TEXT_CALLS, ...NO_TEXT_CALLS.slice(0, 3)]
  const answered = await Promise.all(off.map((text) => play('test-agent', text)))
  for (const [i, { result, events }] of answered.entries()) {
    expect(result, off[i]).toMatchObject({ stopReason: 'answered', answer: off[i], steps: 1 })
    expect(toolsScheduled(events), off[i]).toEqual([])
  }
  const ran = await Promise.all(TEXT_CALLS.map((text) => play('parsing', text)))
  for (const [i, outcome] of ran.entries()) {
    expect(outcome.result, TEXT_CALLS[i]).toMatchObject({ answer: 'It is sunny.', steps: 2 })
    expect(observations(outcome), TEXT_CALLS[i]).toEqual(['sunny in Oslo'])
  }
  const controls = await Promise.all(NO_TEXT_CALLS.map((text) => play('parsing', text)))
  for (const [i, { result, events }] of controls.entries()) {
    expect(result, NO_TEXT_CALLS[i]).toMatchObject({ answer: NO_TEXT_CALLS[i], steps: 1 })
    expect(toolsScheduled(events), NO_TEXT_CALLS[i]).toEqual([])
  }
})

test('B11 · a call that is written into the last answer, which has no tools, is not run', async () => {
  const agents = [testAgent({ parseTextToolCalls: true, limits: { maxSteps: 1 } })]
  const stage = await openStage({ agents })
  const written = '{"name":"lookup","arguments":{"id":"A2"}}'
  const { result, events } = await stage.play({
    script: [callTools([{ name: 'lookup', args: { id: 'A1' } }]), say(written)],
  })
  expect(result?.stopReason).toBe('max_steps')
  expect(toolsScheduled(events)).toEqual(['lookup'])
})

/** A tool that tells how many of its calls ran at once, and in which order. */
function watched() {
  const log = { order: [] as number[], running: 0, most: 0 }
  const tool = defineTool({
    ...base,
    name: 'busy',
    input: z.object({ n: z.number() }),
    execute: async ({ n }) => {
      log.most = Math.max(log.most, ++log.running)
      // The later a call, the sooner it would be done beside the others.
      await new Promise((resolve) => setTimeout(resolve, 60 - 20 * n))
      log.order.push(n)
      log.running--
      if (n === 1) throw new ToolError('not this one')
      return `did ${n}`
    },
  })
  return { log, tool }
}

test('B14 · several calls although parallel calls are off', async () => {
  const { log, tool } = watched()
  const stage = await openStage({ agents: [testAgent({ tools: [tool], parallel: false })] })
  const outcome = await stage.play({
    script: [
      callTools([
        { name: 'busy', args: { n: 0 } },
        { name: 'busy', args: { n: 1 } },
        { name: 'nobody', args: {} },
        { name: 'busy', args: '{"n"' },
        { name: 'busy', args: { n: 2 } },
      ]),
      say('done'),
    ],
  })
  expect(log).toMatchObject({ order: [0, 1, 2], most: 1 })
  expect(outcome.requests[0]?.body.parallel_tool_calls).toBe(false)
  expect(observations(outcome)).toEqual([
    'did 0',
    expect.stringContaining('not this one'),
    expect.stringContaining('unknown_tool'),
    expect.stringContaining('invalid_arguments'),
    'did 2',
  ])
})

const ID_SETS: Record<string, JsonValue[]> = {
  'the same id thrice': ['c1', 'c1', 'c1'],
  'empty ids': ['', '', ''],
  'no ids': [null, null, null],
  'ids of 60 characters': ['a', 'b', 'c'].map((letter) => letter.repeat(60)),
  'ids that are numbers': [1, 2, 3],
  'ids of other alphabets': ['é', '查', '😀'],
  'the id of an earlier step': ['c9', 'c9', 'x'],
}

test('B14 · ids of any kind: every call is answered once, under an id of its own', async () => {
  const stage = await openStage({
    agents: [testAgent(), testAgent({ name: 'serial', parallel: false })],
  })
  const calls = (ids: readonly JsonValue[]) =>
    ids.map((id, i) => ({
      ...(id === null ? {} : { id }),
      type: 'function',
      function: { name: 'lookup', arguments: `{"id":"A${i}"}` },
    }))
  const whole = (ids: readonly JsonValue[]) =>
    raw({ choices: [{ finish_reason: 'tool_calls', message: { tool_calls: calls(ids) } }] })
  const streamed = (ids: readonly JsonValue[]) =>
    sse([
      ...calls(ids).map((call, index) => ({
        choices: [{ delta: { tool_calls: [{ index, ...call }] } }],
      })),
      { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
    ])
  const cases = Object.entries(ID_SETS).flatMap(([name, ids]) =>
    [whole, streamed].map((reply) => ({ name, script: [reply(ids), reply(ids), say('done')] })),
  )
  const outcomes = await Promise.all(
    cases.map(({ script }, i) =>
      stage.play({ script, agent: i % 4 < 2 ? 'test-agent' : 'serial' }),
    ),
  )
  for (const [i, outcome] of outcomes.entries()) {
    const name = cases[i]?.name
    expect(outcome.result, name).toMatchObject({ answer: 'done', steps: 3 })
    const six = [0, 1, 2, 0, 1, 2].map((n) =>
      expect.stringContaining(`{"id":"A${n}","found":true}`),
    )
    expect(observations(outcome), name).toEqual(six)
    const ids = outcome.requests[2]?.body.messages.flatMap(({ tool_call_id: id }) => id ?? [])
    expect(new Set(ids).size, name).toBe(6)
  }
})
