import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type JsonObject } from '../../src/index.js'
import { callTool, callTools, type Respond, say } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { observations, openStage } from './kit.js'

const base = { description: 'Use when the test says so.', input: z.looseObject({}) }
const MAX_STEPS = 20

/** Gives another text each time. */
function changing(name: string, options: { readonly polling?: boolean } = {}) {
  let n = 0
  return defineTool({ ...base, ...options, name, execute: () => `state ${n++}` })
}

const tools = [
  defineTool({ ...base, name: 'search', execute: () => [] }),
  defineTool({ ...base, name: 'read', execute: () => 'a page' }),
  defineTool({ ...base, name: 'list', execute: () => ['a', 'b'] }),
  defineTool({ ...base, name: 'timed', volatileFields: ['at'], execute: () => 'same' }),
  defineTool({ ...base, name: 'poll', polling: true, execute: () => 'pending' }),
  defineTool({ ...base, name: 'failing', execute: () => Promise.reject(new Error('no')) }),
  changing('status'),
]

interface Call {
  readonly name: string
  readonly args: JsonObject
}
const call = (name: string, args: JsonObject = {}): Call => ({ name, args })
const [search, read, list] = [
  call('search', { q: 'x' }),
  call('read', { f: 1 }),
  call('list', { d: 2 }),
]

/** What the model calls in its n-th step; how many steps a loop may take. */
const LOOPS: Record<string, readonly [calls: (n: number) => readonly Call[], steps: number]> = {
  'the same call': [() => [search], 3],
  'two in turn': [(n) => [n % 2 === 0 ? read : list], 6],
  'three in turn': [(n) => [[search, read, list][n % 3] ?? search], 9],
  'after other calls': [(n) => [n < 4 ? call('read', { f: n + 10 }) : search], 7],
  'keys in another order': [
    (n) => [call('read', n % 2 === 0 ? { a: 1, b: 2 } : { b: 2, a: 1 })],
    3,
  ],
  'a field that says when': [(n) => [call('timed', { q: 'x', at: n })], 3],
  'two at once': [() => [read, list], 3],
  'two at once, in another order': [(n) => (n % 2 === 0 ? [read, list] : [list, read]), 3],
  'twelve at once': [() => Array.from({ length: 12 }, (_, i) => call('read', { f: i })), 3],
  'steps in turn': [(n) => (n % 2 === 0 ? [read, search] : [list]), 6],
  'a tool that is not there': [() => [call('nobody', { q: 'x' })], 3],
}

/** Never stopped before the model ends by itself. */
const CONTROLS: Record<string, (n: number) => readonly Call[]> = {
  'new arguments each time': (n) => [call('search', { q: `x${n}` })],
  'a changing result': () => [call('status', { id: 1 })],
  'a tool made for polling': () => [call('poll')],
  'the same call, with others between': (n) => [n % 2 === 0 ? search : call('read', { f: n })],
  'twice, then on': (n) => [call('read', { f: Math.floor(n / 2) })],
  'numbers and texts that look alike': (n) => [
    call('read', { f: [1, '1', true, null, [1]][n % 5] ?? null }),
  ],
  'lists in another order': (n) => [call('read', { f: n % 2 === 0 ? [1, n] : [n, 1] })],
}

function restless(calls: (n: number) => readonly Call[], until = MAX_STEPS + 9): Respond {
  return (request, { index }) =>
    request.tools === undefined || index >= until
      ? say('That is what I have.')
      : callTools(calls(index), { text: `Step ${index}.` })
}

test('B39 · calls that go round in circles', async () => {
  const stage = await openStage({ agents: [testAgent({ tools, limits: { maxSteps: MAX_STEPS } })] })
  const cases = Object.entries(LOOPS)
  const outcomes = await Promise.all(
    cases.map(([, [calls]]) => stage.play({ respond: restless(calls) })),
  )
  for (const [i, outcome] of outcomes.entries()) {
    const [name = '', [, steps] = [() => [], 0]] = cases[i] ?? []
    const stopReason = name === 'a tool that is not there' ? /repeats|tool_errors/ : /repeats/
    expect(outcome.result?.stopReason, name).toMatch(stopReason)
    expect(outcome.result, name).toMatchObject({ answer: 'That is what I have.', steps })
    // One warning before the end; one for each of two calls whose order changes.
    const noted = observations(outcome).filter((text) => text.includes('[note:'))
    expect(noted, name).toHaveLength(name === 'two at once, in another order' ? 2 : 1)
    expect(observations(outcome).at(-1), name).not.toContain('[note:')
    expect(outcome.requests.at(-1)?.body, name).not.toHaveProperty('tools')
  }
})

test('B39 · calls that make progress are not stopped', async () => {
  const stage = await openStage({ agents: [testAgent({ tools, limits: { maxSteps: MAX_STEPS } })] })
  const cases = Object.entries(CONTROLS)
  const outcomes = await Promise.all(
    cases.map(([, calls]) => stage.play({ respond: restless(calls, 10) })),
  )
  for (const [i, { result }] of outcomes.entries()) {
    expect(result, cases[i]?.[0]).toMatchObject({ stopReason: 'answered', steps: 11 })
  }
})

test('B39 · a warning that is heeded ends the suspicion', async () => {
  const stage = await openStage({ agents: [testAgent({ tools })] })
  const outcome = await stage.play({
    script: [
      ...[search, search, read, search, search].map((one) => callTools([one])),
      say('Enough.'),
    ],
  })
  expect(outcome.result).toMatchObject({ stopReason: 'answered', answer: 'Enough.', steps: 6 })
  expect(observations(outcome).filter((text) => text.includes('[note:'))).toHaveLength(2)
})

const look = (n: number) => callTool('status', { n }, { text: `Partial ${n}.` })

test('B41 · the limit is exact, and the last call has no tools', async () => {
  for (const maxSteps of [1, 2, 3, 7]) {
    const runs: string[] = []
    const counted = defineTool({
      ...base,
      name: 'status',
      execute: ({ n }) => {
        runs.push(String(n))
        return `state ${n}`
      },
    })
    const stage = await openStage({
      agents: [testAgent({ tools: [counted], limits: { maxSteps } })],
    })
    // The model calls whether it is offered tools or not.
    const always = await stage.play({ respond: (_, { index }) => look(index) })
    const answer = `Partial ${maxSteps}.`
    expect(always.result).toMatchObject({ stopReason: 'max_steps', steps: maxSteps, answer })
    expect(always.requests).toHaveLength(maxSteps + 1)
    expect(runs).toEqual(Array.from({ length: maxSteps }, (_, n) => `${n}`))
    const isOffered = always.requests.map(({ body }) => body.tools !== undefined)
    expect(isOffered).toEqual([...Array(maxSteps).fill(true), false])
    // The choice is never forced, and not spoken of where there are no tools.
    const choices = always.requests.map(({ body }) => body.tool_choice)
    expect(choices).toEqual([...Array(maxSteps).fill('auto'), undefined])
    // An answer on the very last step is an answer.
    const justInTime = await stage.play({
      respond: (_, { index }) => (index === maxSteps - 1 ? say('Just in time.') : look(index)),
    })
    expect(justInTime.result).toMatchObject({
      stopReason: 'answered',
      answer: 'Just in time.',
      steps: maxSteps,
    })
    expect(justInTime.requests).toHaveLength(maxSteps)
  }
})

test('B41 · at the limit the partial work is there, whatever the last answer is', async () => {
  const stage = await openStage({
    agents: [
      testAgent({ tools, limits: { maxSteps: 1 } }),
      testAgent({ name: 'strict', tools, limits: { maxSteps: 1 }, onLimit: 'fail' }),
    ],
  })
  const silent = callTool('status', { n: 9 })
  const endings = [say('  '), silent, callTools([]), say('', { finishReason: 'length' })]
  const outcomes = await Promise.all(endings.map((end) => stage.play({ script: [look(0), end] })))
  for (const { result, steps } of outcomes) {
    expect(result).toMatchObject({ stopReason: 'max_steps', answer: 'Partial 0.', steps: 1 })
    expect(steps.at(-1)).toMatchObject({ forced: true, calls: [] })
  }
  const failed = await stage.play({ agent: 'strict', script: [look(0)] })
  expect(failed.error).toMatchObject({
    name: 'AgentLimitError',
    reason: 'max_steps',
    partial: { answer: 'Partial 0.', steps: 1 },
  })
  expect(failed.requests).toHaveLength(1)
})
