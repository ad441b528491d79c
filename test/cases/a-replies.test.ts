import { expect, test } from 'vitest'
import type { JsonValue } from '../../src/index.js'
import { callTool, callTools, empty, raw, refuse, say, status } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { toolsScheduled } from './history.js'
import { openStage, rolesOf } from './kit.js'

/** A reply with exactly this message, as one document. */
function bare(message: Record<string, JsonValue>, finish: JsonValue = 'stop') {
  return raw({ choices: [{ index: 0, finish_reason: finish, message }] })
}

const NOTHING = {
  'content null': () => empty(),
  'content empty': () => say(''),
  'content blank': () => say(' \n'),
  'content of other blanks': () => say('\u00a0\u2003\t\r\n\ufeff'),
  'no content at all': () => bare({ role: 'assistant' }),
  'content without parts': () => bare({ role: 'assistant', content: [] }),
  'an empty part': () => bare({ role: 'assistant', content: [{ type: 'text', text: '' }] }),
  'an empty list of calls': () => bare({ content: null, tool_calls: [] }, 'tool_calls'),
  'thoughts alone': () => bare({ content: null, reasoning_content: 'Let me think.' }),
  'finish reason length': () => empty({ finishReason: 'length' }),
  'an empty refusal': () => bare({ content: null, refusal: '' }),
  'no finish reason': () => bare({ content: null }, null),
}

test.each([true, false])('B08 · a model that ends with nothing (stream: %s)', async (stream) => {
  const stage = await openStage({ agents: [testAgent()], stream })
  const call = callTool('lookup', { id: 'A1' })
  const cases = Object.entries(NOTHING)
  const outcomes = await Promise.all(
    cases.map(([, nothing]) => stage.play({ script: [call, nothing(), nothing()] })),
  )
  for (const [i, { result, requests }] of outcomes.entries()) {
    const name = cases[i]?.[0]
    expect(result, name).toMatchObject({ stopReason: 'empty_reply', answer: '', steps: 3 })
    // One nudge, and no empty message of the assistant is sent back.
    const roles = ['system', 'user', 'assistant', 'tool', 'user']
    expect(rolesOf(requests.at(-1)), name).toEqual(roles)
    expect(requests, name).toHaveLength(3)
  }
})

test('B08 · what was said before is offered, and one nudge is all there is', async () => {
  const stage = await openStage({ agents: [testAgent()] })
  const spoken = callTool('lookup', { id: 'A1' }, { text: 'It is 42.' })
  const lookup = (id: string) => callTool('lookup', { id })
  const [offered, nudged, again, first, blank] = await Promise.all([
    stage.play({ script: [spoken, empty(), say(' ')] }),
    stage.play({ script: [lookup('A1'), say('\n'), say('Here it is.')] }),
    stage.play({ script: [empty(), lookup('A1'), empty()] }),
    stage.play({ script: [empty(), say('')] }),
    stage.play({
      script: [spoken, callTool('lookup', { id: 'A2' }, { text: ' ' }), empty(), empty()],
    }),
  ])
  expect(offered.result).toMatchObject({ stopReason: 'empty_reply', answer: 'It is 42.' })
  expect(nudged.result).toMatchObject({ stopReason: 'answered', answer: 'Here it is.' })
  expect(again.result).toMatchObject({ stopReason: 'empty_reply', answer: '', steps: 3 })
  expect(first.result).toMatchObject({ stopReason: 'empty_reply', answer: '', steps: 2 })
  expect(blank.result).toMatchObject({ stopReason: 'empty_reply', answer: 'It is 42.' })
})

test('B08 · a last answer without tools that is empty offers what was said', async () => {
  const stage = await openStage({ agents: [testAgent({ limits: { maxSteps: 1 } })] })
  const { result } = await stage.play({
    script: [callTool('lookup', { id: 'A1' }, { text: 'So far: 1.' }), say(' ')],
  })
  expect(result).toMatchObject({ stopReason: 'max_steps', answer: 'So far: 1.', steps: 1 })
})

const STRANGE_NAMES = [
  'get_wether',
  'lookup" />',
  'functions.lookup',
  'functions::lookup',
  '',
  ' ',
  ' lookup',
  'lookup\n',
  'LOOKUP',
  'lookup<|channel|>commentary',
  'look up',
  'n'.repeat(300),
  '😀',
  '查询',
  '\u0000',
  '{"name":"lookup"}',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'callModel',
  'prepareTurn',
  'default',
  'summarize',
]

test.each([true, false])('B09 · tools that are not there (stream: %s)', async (stream) => {
  const agents = [testAgent()]
  const stage = await openStage({ agents, stream })
  const names = STRANGE_NAMES.filter((_, i) => stream || i % 4 === 0)
  const outcomes = await Promise.all(
    names.map((name) => stage.play({ script: [callTool(name, { id: 'A1' }), say('Then not.')] })),
  )
  for (const [i, { result, requests, events, steps }] of outcomes.entries()) {
    const name = JSON.stringify(names[i]?.slice(0, 40))
    expect(result, name).toMatchObject({ stopReason: 'answered', answer: 'Then not.', steps: 2 })
    expect(toolsScheduled(events), name).toEqual([])
    const [assistant, tool] = requests[1]?.body.messages.slice(-2) ?? []
    expect(assistant?.tool_calls?.[0]?.function.name, name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(tool?.content, name).toContain('The tools are: lookup.')
    expect(steps[0]?.calls, name).toMatchObject([{ status: 'refused' }])
  }
})

test('B09 · a name that only looks like a tool once it is legal does not run it', async () => {
  const renamed = testAgent().tools.map((tool) => {
    const manifest = { ...tool.manifest, name: 'look_up', activityType: 'look_up' }
    return { ...tool, name: 'look_up', manifest }
  })
  const stage = await openStage({
    agents: [testAgent({ tools: renamed }), testAgent({ name: 'bare', tools: [] })],
  })
  const names = ['look up', 'look.up', 'look\u200bup', 'look_up\u0000']
  const calls = callTools(names.map((name) => ({ name, args: { id: 'A1' } })))
  const outcome = await stage.play({ script: [calls, say('done')] })
  expect(outcome.result).toMatchObject({ answer: 'done' })
  expect(toolsScheduled(outcome.events)).toEqual([])
  // An agent without any tool is called for one all the same.
  const bare = await stage.play({ agent: 'bare', script: [calls, say('none')] })
  expect(bare.result).toMatchObject({ answer: 'none', steps: 2 })
  expect(bare.requests[1]?.body).not.toHaveProperty('tools')
  expect(JSON.stringify(bare.requests[1]?.body)).toContain('There are none')
})

const BLOCKED = {
  'a filtered reply': { reply: empty({ finishReason: 'content_filter' }), answer: '' },
  'a filtered half': { reply: say('Half', { finishReason: 'content_filter' }), answer: 'Half' },
  'a filtered call': {
    reply: callTool('lookup', { id: 'A1' }, { finishReason: 'content_filter' }),
    answer: '',
  },
  'a refusal': { reply: refuse('I cannot help.'), answer: 'I cannot help.' },
  'a refusal that was filtered': {
    reply: refuse('No.', { finishReason: 'content_filter' }),
    answer: 'No.',
  },
  'a refusal with a call': {
    reply: bare({
      content: null,
      refusal: 'I will not.',
      tool_calls: [
        { id: 'c', type: 'function', function: { name: 'lookup', arguments: '{"id":"1"}' } },
      ],
    }),
    answer: 'I will not.',
  },
  'a refusal without a finish reason': {
    reply: bare({ content: '', refusal: 'Never.' }, null),
    answer: 'Never.',
  },
  'a prompt that is filtered': {
    reply: status(400, { body: { error: { message: 'Filtered.', code: 'content_filter' } } }),
    answer: '',
  },
  'a prompt against the policy': {
    reply: status(400, { body: { error: { message: 'No.', code: 'content_policy_violation' } } }),
    answer: '',
  },
  'a filter in the middle of a 200': {
    reply: raw({ error: { message: 'Filtered.', code: 'content_filter' } }),
    answer: '',
  },
}

test.each([true, false])('B12 · refused and filtered replies (stream: %s)', async (stream) => {
  const stage = await openStage({ agents: [testAgent()], stream })
  const cases = Object.entries(BLOCKED)
  const outcomes = await Promise.all(cases.map(([, { reply }]) => stage.play({ script: [reply] })))
  for (const [i, { result, requests, events }] of outcomes.entries()) {
    const [name = '', wanted] = cases[i] ?? []
    const stopReason =
      /refusal with/.test(name) || name === 'a refusal' ? 'refusal' : 'content_filter'
    expect(result, name).toMatchObject({ stopReason, answer: wanted?.answer, steps: 1 })
    expect(requests, name).toHaveLength(1)
    expect(toolsScheduled(events), name).toEqual([])
  }
})

test('B12 · a refusal after work, and in the last answer, keeps its name', async () => {
  const stage = await openStage({
    agents: [testAgent({ limits: { maxSteps: 1 } }), testAgent({ name: 'free' })],
  })
  const call = callTool('lookup', { id: 'A1' }, { text: 'Looking.' })
  const [forced, filtered, late] = await Promise.all([
    stage.play({ script: [call, refuse('I must not.')] }),
    stage.play({ script: [call, empty({ finishReason: 'content_filter' })] }),
    stage.play({ agent: 'free', script: [call, empty({ finishReason: 'content_filter' })] }),
  ])
  expect(forced.result).toMatchObject({ stopReason: 'refusal', answer: 'I must not.' })
  expect(filtered.result).toMatchObject({ stopReason: 'content_filter', answer: 'Looking.' })
  expect(late.result).toMatchObject({ stopReason: 'content_filter', answer: 'Looking.' })
})
