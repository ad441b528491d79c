import { describe, expect, test } from 'vitest'
import { runTurn } from '../../../src/agent/loop.js'
import type { ModelReply } from '../../../src/contract/reply.js'
import { stateOf } from './manifests.js'
import { asks, call, says, scriptedEffects } from './scripted-effects.js'

async function run(replies: readonly ModelReply[]) {
  const state = stateOf()
  const effects = scriptedEffects({ replies })
  const end = await runTurn(state, effects)
  return { state, effects, end, result: end.kind === 'done' ? end.result : undefined }
}

const blanks = [
  ['empty', ''],
  ['blank', ' \n'],
] as const

describe('an answer', () => {
  test('ends the turn after one model call and joins the conversation', async () => {
    const { state, effects, end } = await run([says('It is on its way.')])
    const usage = {
      promptTokens: 10,
      completionTokens: 2,
      totalTokens: 12,
      modelCalls: 1,
      uncountedCalls: 0,
    }
    expect(end).toEqual({
      kind: 'done',
      result: {
        answer: 'It is on its way.',
        stopReason: 'answered',
        steps: 1,
        usage,
        models: { 'test-model': 1 },
        usageByModel: { 'test-model': usage },
      },
    })
    expect(effects.modelCalls).toHaveLength(1)
    expect(state.messages.at(-1)).toEqual({
      role: 'assistant',
      text: 'It is on its way.',
      calls: [],
      turn: 1,
      step: 1,
    })
  })

  test('that was cut off at the token limit is still an answer', async () => {
    const { result } = await run([says('It is on', 'length')])
    expect(result).toMatchObject({ answer: 'It is on', stopReason: 'answered' })
  })

  test('is given to the caller as the model wrote it, spaces included', async () => {
    const { result } = await run([says('  yes\n')])
    expect(result?.answer).toBe('  yes\n')
  })
})

describe('a reply with calls', () => {
  test.each(['stop', 'length'] as const)('runs them whatever its label: %s', async (finish) => {
    const { effects, result } = await run([
      { ...asks(call('search', { q: 'x' })), finish },
      says('Done.'),
    ])
    expect(effects.toolCalls).toHaveLength(1)
    expect(result).toMatchObject({ answer: 'Done.', steps: 2 })
  })

  test('hands each tool its place, its arguments, the context and the origin', async () => {
    const state = stateOf({}, { customerId: 'C1' })
    const effects = scriptedEffects({
      replies: [asks(call('search', { q: 'x' }), call('read', { f: 1 })), says('Done.')],
    })
    await runTurn(state, effects)
    const common = { turn: 1, step: 1, context: { customerId: 'C1' }, origin: 'first-run' }
    expect(effects.toolCalls.map(({ tool, input }) => [tool.name, input])).toEqual([
      ['search', { ...common, call: 1, args: { q: 'x' } }],
      ['read', { ...common, call: 2, args: { f: 1 } }],
    ])
  })

  test('enters the conversation with its text, followed by one observation per call', async () => {
    const { state } = await run([
      { ...asks(call('search'), call('read')), text: 'Let me look.' },
      says('Done.'),
    ])
    expect(state.messages.slice(1, 4)).toEqual([
      {
        role: 'assistant',
        text: 'Let me look.',
        calls: [call('search'), call('read')],
        turn: 1,
        step: 1,
      },
      { role: 'tool', id: '001000101', text: 'search 1.1' },
      { role: 'tool', id: '001000102', text: 'read 1.2' },
    ])
  })

  test('is never half in the conversation while its calls run', async () => {
    const state = stateOf()
    const seen: number[] = []
    const effects = scriptedEffects({
      replies: [asks(call('search'), call('read')), says('Done.')],
      runTool: () => {
        seen.push(state.messages.length)
        return { text: 'ok' }
      },
    })
    await runTurn(state, effects)
    expect(seen).toEqual([1, 1])
  })
})

describe.each(['refusal', 'content_filter'] as const)('a reply that ends with %s', (finish) => {
  test('ends the turn with that reason and its text, after one model call', async () => {
    const { effects, result } = await run([says('I cannot help.', finish)])
    expect(result).toMatchObject({ answer: 'I cannot help.', stopReason: finish, steps: 1 })
    expect(effects.modelCalls).toHaveLength(1)
  })

  test('is neither nudged nor asked again when it is empty', async () => {
    const { state, effects, result } = await run([says('', finish)])
    expect(result).toMatchObject({ answer: '', stopReason: finish })
    expect(effects.modelCalls).toHaveLength(1)
    expect(state.messages).toHaveLength(1)
  })

  test('does not run the calls that it holds', async () => {
    const { effects, result } = await run([{ ...asks(call('search')), finish }])
    expect(effects.toolCalls).toEqual([])
    expect(result?.stopReason).toBe(finish)
  })
})

describe.each(blanks)('an %s reply', (_name, blank) => {
  test('is nudged once, then ends with empty_reply and the earlier text', async () => {
    const { effects, result } = await run([
      { ...asks(call('search')), text: 'It left on Monday.' },
      says(blank),
      says(blank),
    ])
    expect(result).toMatchObject({
      answer: 'It left on Monday.',
      stopReason: 'empty_reply',
      steps: 3,
    })
    expect(effects.modelCalls).toHaveLength(3)
  })

  test('leaves only the nudge in the conversation, no message of its own', async () => {
    const { state } = await run([says(blank), says('Here you are.')])
    expect(state.messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant'])
    expect(state.messages[1]).toMatchObject({
      kind: 'note',
      text: expect.stringContaining('was empty'),
    })
  })

  test('that is followed by an answer is forgotten', async () => {
    const { result } = await run([says(blank), says('Here you are.')])
    expect(result).toMatchObject({ answer: 'Here you are.', stopReason: 'answered', steps: 2 })
  })

  test('gets no second nudge later in the same turn', async () => {
    const { effects, result } = await run([says(blank), asks(call('search')), says(blank)])
    expect(result).toMatchObject({ answer: '', stopReason: 'empty_reply' })
    expect(effects.modelCalls).toHaveLength(3)
  })

  test('with a cut label is treated the same', async () => {
    const { result } = await run([says(blank, 'length'), says(blank, 'length')])
    expect(result?.stopReason).toBe('empty_reply')
  })
})

describe('what the loop tells of itself', () => {
  test('is one report per step, with a row of its calls, tokens and time', async () => {
    const { effects } = await run([
      asks(call('search'), call('read')),
      says(''),
      { ...says('Done.'), tokens: null },
    ])
    expect(effects.reports.map(({ rows }) => rows.length)).toEqual([1, 2, 3])
    expect(effects.reports.at(-1)?.rows).toEqual([
      { step: 1, what: 'search, read', tokens: 12, ms: 1000 },
      { step: 2, what: 'empty reply', tokens: 12, ms: 1000 },
      { step: 3, what: 'answer', tokens: 0, ms: 1000 },
    ])
  })

  test('is the usage of all model calls, with the uncounted ones apart', async () => {
    const { result } = await run([
      asks(call('search')),
      { ...asks(call('read')), tokens: null },
      says('Done.'),
    ])
    expect(result?.usage).toEqual({
      promptTokens: 20,
      completionTokens: 4,
      totalTokens: 24,
      modelCalls: 3,
      uncountedCalls: 1,
    })
  })
})

describe('an effect that rejects', () => {
  test('ends the turn with that very error when it is the model', async () => {
    const cancelled = new Error('cancelled')
    const replies = () => {
      throw cancelled
    }
    await expect(runTurn(stateOf(), scriptedEffects({ replies }))).rejects.toBe(cancelled)
  })

  test('ends the turn with that very error when it is a tool', async () => {
    const cancelled = new Error('cancelled')
    const state = stateOf()
    const effects = scriptedEffects({
      replies: [asks(call('search'), call('read'))],
      runTool: (tool) => (tool.name === 'read' ? Promise.reject(cancelled) : { text: 'ok' }),
    })
    await expect(runTurn(state, effects)).rejects.toBe(cancelled)
    expect(state.messages).toHaveLength(1)
    expect(effects.modelCalls).toHaveLength(1)
  })
})
