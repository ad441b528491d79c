import { expect, test } from 'vitest'
import { runTurn } from '../../../src/agent/loop.js'
import { approveTool, decide, interrupt, pendingRequests } from '../../../src/agent/requests.js'
import type { Decision, PendingRequest } from '../../../src/contract/requests.js'
import type { RunState } from '../../../src/contract/run.js'
import { stateOf, toolOf } from './manifests.js'
import { asks, call, type ScriptedEffects, says, scriptedEffects } from './scripted-effects.js'

const TOOLS = [toolOf('search'), toolOf('read'), toolOf('list')]
const YES: Decision = { kind: 'approved', by: 'ann', at: 1 }

function asking(name: string, args = {}) {
  return { ...call(name, args), approval: 'above 100' }
}

/** Plays a turn in which a person says these, one a request. */
async function play(
  state: RunState,
  replies: Parameters<typeof scriptedEffects>[0]['replies'],
  say: (request: PendingRequest) => Decision | null,
) {
  const effects: ScriptedEffects = scriptedEffects({
    replies,
    untilDecided: (request) => {
      const decision = say(request)
      if (decision !== null) decide(state, request, decision)
      return decision
    },
  })
  return { effects, end: await runTurn(state, effects) }
}

function observations({ messages }: RunState): string[] {
  return messages.flatMap(({ role, text }) => (role === 'tool' ? [text] : []))
}

test('calls that need nobody run first, and all results come in call order', async () => {
  const state = stateOf({ tools: TOOLS })
  const replies = [asks(asking('search'), call('read'), asking('list')), says('done')]
  const { effects, end } = await play(state, replies, () => YES)
  expect(end).toMatchObject({ kind: 'done', result: { answer: 'done' } })
  expect(effects.toolCalls.map(({ tool }) => tool.name)).toEqual(['read', 'search', 'list'])
  expect(observations(state)).toEqual(['search 1.1', 'read 1.2', 'list 1.3'])
  expect(effects.modelCalls[1]?.decided).toEqual({ 1: YES, 3: YES })
  expect(state.open).toBeUndefined()
})

test('what is denied, expired or interrupted does not run, and the model reads why', async () => {
  const state = stateOf({ tools: TOOLS })
  const said: Decision[] = [
    { kind: 'denied', reason: 'too much', by: 'bob', at: 1 },
    { kind: 'expired', by: null, at: 1 },
    { kind: 'interrupted', by: 'bob', at: 1 },
  ]
  const replies = [asks(asking('search'), asking('read'), asking('list')), says('done')]
  const { effects } = await play(state, replies, ({ call: place }) => said[place - 1] ?? null)
  expect(effects.toolCalls).toEqual([])
  const texts = observations(state)
  expect(texts[0]).toContain('too much')
  expect(texts[1]).toContain('Nobody said anything in time')
  expect(texts[2]).toContain('The user ended the turn')
  for (const text of texts) expect(JSON.parse(text)).toMatchObject({ error_type: 'denied' })
})

test('changed arguments are what runs, and what the model is told of', async () => {
  const state = stateOf({ tools: TOOLS })
  const replies = [asks(asking('search', { q: 'all' })), says('done')]
  const { effects } = await play(state, replies, () => ({ ...YES, args: { q: 'some' } }))
  expect(effects.toolCalls[0]?.input.args).toEqual({ q: 'some' })
  expect(observations(state)[0]).toBe(
    '[note: a person changed the arguments to {"q":"some"} before it ran]\nsearch 1.1',
  )
})

test('a call that is denied does not count against maxCalls', async () => {
  const state = stateOf({ tools: [toolOf('search', { maxCalls: 1 })] })
  const replies = [asks(asking('search'), asking('search')), says('done')]
  const { effects } = await play(state, replies, ({ call: place }) =>
    place === 1 ? { kind: 'denied', reason: '', by: null, at: 1 } : YES,
  )
  expect(effects.toolCalls).toHaveLength(1)
  expect(state.callCounts).toEqual({ search: 1 })
})

test('a turn that is carried through JSON while it waits runs nothing twice', async () => {
  const state = stateOf({ tools: TOOLS })
  const replies = [asks(call('read'), asking('search'))]
  const first = await play(state, replies, () => null)
  expect(first.end).toEqual({ kind: 'continue' })
  expect(first.effects.toolCalls.map(({ tool }) => tool.name)).toEqual(['read'])
  const carried = JSON.parse(JSON.stringify(state)) as RunState
  expect(pendingRequests(carried)).toEqual(pendingRequests(state))
  const second = await play(carried, [says('done')], () => YES)
  expect(second.end).toMatchObject({ kind: 'done', result: { answer: 'done', steps: 2 } })
  expect(second.effects.toolCalls.map(({ tool }) => tool.name)).toEqual(['search'])
  expect(observations(carried)).toEqual(['read 1.1', 'search 1.2'])
})

test('a rehearsal asks nobody', async () => {
  const state = stateOf({ tools: TOOLS })
  state.fork = { from: { id: 'x', runId: 'y', step: 1 }, dry: {} }
  const { effects } = await play(state, [asks(asking('search')), says('done')], () => null)
  expect(effects.toolCalls).toEqual([])
  expect(effects.modelCalls[1]?.reused).toEqual({ 1: 'dry' })
})

test('a tool that is approved for the turn asks no more in it', async () => {
  const state = stateOf({ tools: TOOLS })
  const replies = [asks(asking('search')), asks(asking('search')), says('done')]
  let asked = 0
  const { effects } = await play(state, replies, (request) => {
    asked++
    approveTool(state, request.tool, YES)
    return YES
  })
  expect(asked).toBe(1)
  expect(effects.toolCalls).toHaveLength(2)
})

test('an interrupt ends the waiting and the turn, also where limits fail a run', async () => {
  const state = stateOf({ tools: TOOLS, onLimit: 'fail' })
  const replies = [asks(asking('search')), says('what I have')]
  const { effects, end } = await play(state, replies, (request) => {
    interrupt(state, 'ann', 1)
    return state.open?.decisions[`${request.call}`] ?? null
  })
  expect(end).toMatchObject({
    kind: 'done',
    result: { answer: 'what I have', stopReason: 'interrupted' },
  })
  expect(effects.toolCalls).toEqual([])
  expect(effects.modelCalls[1]).toMatchObject({ forced: true })
})

test('what the user says meanwhile comes before the next call, and after an answer that crossed it', async () => {
  const state = stateOf({ tools: TOOLS })
  state.steering = ['first']
  const { end } = await play(
    state,
    ({ step }) => {
      if (step === 1) state.steering = ['second']
      return says(`answer ${step}`)
    },
    () => null,
  )
  expect(end).toMatchObject({ result: { answer: 'answer 2', steps: 2 } })
  expect(state.messages.slice(1).map(({ text }) => text)).toEqual([
    'first',
    'answer 1',
    'second',
    'answer 2',
  ])
})
