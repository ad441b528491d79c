import { describe, expect, test } from 'vitest'
import { digestOf } from '../../../src/agent/digest.js'
import { runTurn } from '../../../src/agent/loop.js'
import type { CallModelInput } from '../../../src/contract/activities.js'
import type { ModelReply } from '../../../src/contract/reply.js'
import { type ManifestChanges, stateOf } from './manifests.js'
import { asks, busy, call, type Script, says, scriptedEffects } from './scripted-effects.js'

async function run(changes: ManifestChanges, script: Script) {
  const state = stateOf(changes)
  const effects = scriptedEffects(script)
  const end = await runTurn(state, effects)
  return { state, effects, end, result: end.kind === 'done' ? end.result : undefined }
}

/** Keeps calling, but gives the forced answer as it is told. */
function busyUntilForced(last: ModelReply) {
  return (input: CallModelInput) => (input.forced ? last : busy(input))
}

describe('max steps', () => {
  test.each([1, 3, 8])('%i allow so many model calls with tools and one without', async (n) => {
    const { effects, result } = await run(
      { maxSteps: n },
      { replies: busyUntilForced(says('So far.')) },
    )
    expect(effects.modelCalls.map(({ forced }) => forced ?? false)).toEqual([
      ...Array<boolean>(n).fill(false),
      true,
    ])
    expect(effects.toolCalls).toHaveLength(n)
    expect(result).toMatchObject({ answer: 'So far.', stopReason: 'max_steps', steps: n })
    expect(result?.usage.modelCalls).toBe(n + 1)
  })

  test.each([1, 3, 8])('%i do not spoil an answer on the very last step', async (n) => {
    const { effects, result } = await run(
      { maxSteps: n },
      { replies: (input) => (input.step === n ? says('Just in time.') : busy(input)) },
    )
    expect(effects.modelCalls).toHaveLength(n)
    expect(result).toMatchObject({ answer: 'Just in time.', stopReason: 'answered', steps: n })
  })

  test('count an empty reply as a step', async () => {
    const { effects, result } = await run(
      { maxSteps: 1 },
      { replies: [says(''), says('All I know.')] },
    )
    expect(effects.modelCalls.map(({ forced }) => forced)).toEqual([undefined, true])
    expect(result).toMatchObject({ answer: 'All I know.', stopReason: 'max_steps', steps: 1 })
  })

  test('give way to a repeat that shows on the same step', async () => {
    const { result } = await run(
      { maxSteps: 3 },
      {
        replies: ({ forced }) => (forced ? says('Stuck.') : asks(call('search'))),
        runTool: () => ({ text: '[]' }),
      },
    )
    expect(result?.stopReason).toBe('repeats')
  })
})

describe('the forced request', () => {
  test('says so, and refers to a conversation that ends in the note to the model', async () => {
    const { state, effects } = await run(
      { maxSteps: 2 },
      { replies: busyUntilForced(says('So far.')) },
    )
    const { messages, manifest } = state
    expect(effects.modelCalls.at(-1)).toEqual({
      turn: 1,
      step: 3,
      count: messages.length,
      digest: digestOf(manifest, messages),
      forced: true,
    })
    expect(messages.at(-1)).toEqual({
      role: 'user',
      kind: 'note',
      text: expect.stringMatching(/^The limit of 2 steps is reached\. Answer now/),
    })
  })

  test('is the only one that carries the flag', async () => {
    const { effects } = await run({ maxSteps: 2 }, { replies: busyUntilForced(says('So far.')) })
    expect(effects.modelCalls.slice(0, -1).every((input) => !('forced' in input))).toBe(true)
  })

  test('gets a row and a report of its own', async () => {
    const { effects } = await run({ maxSteps: 1 }, { replies: busyUntilForced(says('So far.')) })
    expect(effects.reports).toHaveLength(2)
    expect(effects.reports.at(-1)?.rows.at(-1)).toEqual({
      step: 2,
      what: 'forced answer (max_steps)',
      tokens: 12,
      ms: 1000,
    })
  })

  test('does not run the calls that the model makes all the same', async () => {
    const last = { ...asks(call('search')), text: 'I would search more.' }
    const { effects, result } = await run({ maxSteps: 1 }, { replies: busyUntilForced(last) })
    expect(effects.toolCalls).toHaveLength(1)
    expect(effects.modelCalls).toHaveLength(2)
    expect(result).toMatchObject({ answer: 'I would search more.', stopReason: 'max_steps' })
  })

  test.each(['', ' \n'])('that is answered with %j falls back to the last text', async (blank) => {
    const { result } = await run(
      { maxSteps: 2 },
      {
        replies: [
          { ...asks(call('search', { q: 1 })), text: 'It left on Monday.' },
          asks(call('search', { q: 2 })),
          says(blank),
        ],
      },
    )
    expect(result).toMatchObject({ answer: 'It left on Monday.', stopReason: 'max_steps' })
  })

  test.each(['refusal', 'content_filter'] as const)('keeps the reason %s', async (finish) => {
    const { result } = await run(
      { maxSteps: 1 },
      { replies: busyUntilForced(says('I cannot say.', finish)) },
    )
    expect(result).toMatchObject({ answer: 'I cannot say.', stopReason: finish })
  })
})

describe("onLimit 'fail'", () => {
  test('ends with the partial work and without a forced request', async () => {
    const { state, effects, end } = await run(
      { maxSteps: 2, onLimit: 'fail' },
      { replies: (input) => ({ ...busy(input), text: `Thought ${input.step}.` }) },
    )
    expect(effects.modelCalls).toHaveLength(2)
    expect(end).toEqual({
      kind: 'limit',
      verdict: { reason: 'max_steps', message: 'The limit of 2 steps is reached.' },
      partial: {
        answer: 'Thought 2.',
        stopReason: 'max_steps',
        steps: 2,
        usage: state.usage,
        models: { 'test-model': 2 },
        usageByModel: { 'test-model': state.usage },
      },
    })
    expect(state.messages.at(-1)?.role).toBe('tool')
  })

  test('holds for every rule', async () => {
    const { effects, end } = await run(
      { onLimit: 'fail' },
      { replies: () => asks(call('search')), runTool: () => ({ text: '[]' }) },
    )
    expect(effects.modelCalls).toHaveLength(3)
    expect(end).toMatchObject({ kind: 'limit', verdict: { reason: 'repeats' } })
  })
})
