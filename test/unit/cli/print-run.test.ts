import { describe, expect, it } from 'vitest'
import { printResult, stepPrinter } from '../../../src/cli/print-run.js'
import type { Step, StepCall } from '../../../src/client/history/step.js'
import type { RunResult } from '../../../src/contract/run.js'
import { stream } from './streams.js'

function step(more: Partial<Step> = {}): Step {
  return {
    turn: 1,
    step: 1,
    forced: false,
    strategy: null,
    status: 'done',
    model: 'gpt',
    failedModels: [],
    dropped: 0,
    adapted: [],
    text: 'hi',
    finish: 'stop',
    calls: [],
    tokens: { promptTokens: 100, completionTokens: 20 },
    costUsd: null,
    startedAt: new Date(0),
    attempts: 1,
    retryCause: null,
    ms: 1_240,
    ...more,
  }
}

function call(more: Partial<StepCall> = {}): StepCall {
  return {
    name: 'lookup',
    args: { id: 'A1', n: 2 },
    status: 'ok',
    observation: 'shipped',
    attempts: 1,
    retryCause: null,
    ms: 90,
    ...more,
  }
}

function printed(...steps: readonly Step[]): string {
  const { stream: out, text } = stream()
  const print = stepPrinter(out)
  for (const each of steps) print(each)
  return text()
}

describe('a step', () => {
  it.each<[Partial<Step>, string]>([
    [{}, 'step 1 · answer 100 + 20 tokens · 1.2 s'],
    [{ text: ' ' }, 'step 1 · empty reply 100 + 20 tokens · 1.2 s'],
    [{ tokens: null }, 'step 1 · answer 1.2 s'],
    [{ forced: true, step: 9 }, 'step 9 · forced answer 100 + 20 tokens · 1.2 s'],
    [{ attempts: 3 }, 'step 1 · answer 100 + 20 tokens · 1.2 s · 3 attempts'],
    [{ costUsd: 0.0042 }, 'step 1 · answer 100 + 20 tokens · $0.0042 · 1.2 s'],
    [{ finish: 'refusal' }, 'step 1 · refused 100 + 20 tokens · 1.2 s'],
    [{ finish: 'content_filter' }, 'step 1 · stopped by a content filter 100 + 20 tokens · 1.2 s'],
    [
      { finish: 'context_length', text: '', tokens: null },
      'step 1 · prompt too long for the model 1.2 s',
    ],
    [{ finish: 'length' }, 'step 1 · answer, cut at the token limit 100 + 20 tokens · 1.2 s'],
    [
      { attempts: 2, retryCause: 'HTTP 503:\nbusy' },
      'step 1 · answer 100 + 20 tokens · 1.2 s · 2 attempts\n    tried again after: HTTP 503: busy',
    ],
    [
      { dropped: 6 },
      'memory: the 6 oldest messages left out\nstep 1 · answer 100 + 20 tokens · 1.2 s',
    ],
    [
      { model: 'c', failedModels: ['a', 'b'] },
      'step 1 · answer 100 + 20 tokens · 1.2 s · c instead of a, b',
    ],
    [
      { adapted: ['max_tokens', 'temperature'] },
      'step 1 · answer 100 + 20 tokens · 1.2 s · without max_tokens, temperature',
    ],
    [
      { status: 'failed', text: 'HTTP 401', tokens: null },
      'step 1 · model call failed: HTTP 401 1.2 s',
    ],
  ])('%j is one line', (more, text) => {
    expect(printed(step(more))).toBe(`${text}\n`)
  })

  it('whose model is being called is not printed yet', () => {
    expect(printed(step({ status: 'calling_model' }))).toBe('')
  })

  it('with calls has two lines for each', () => {
    const calls = [
      call(),
      call({ args: {}, status: 'error', observation: 'no\n  order', attempts: 2 }),
    ]
    expect(printed(step({ text: '', calls }))).toBe(
      [
        'step 1 · 2 calls 100 + 20 tokens · 1.2 s',
        '  lookup(id: "A1", n: 2) 0.1 s',
        '    → shipped',
        '  lookup() 0.1 s · 2 attempts',
        '    → no order',
        '',
      ].join('\n'),
    )
  })

  it('says what the model said beside its calls, and why a call was tried again', () => {
    const calls = [call({ attempts: 2, retryCause: 'ECONNRESET' })]
    expect(printed(step({ text: 'Let me\nsee.', calls }))).toBe(
      [
        'step 1 · 1 call 100 + 20 tokens · 1.2 s',
        '  Let me see.',
        '  lookup(id: "A1", n: 2) 0.1 s · 2 attempts',
        '    tried again after: ECONNRESET',
        '    → shipped',
        '',
      ].join('\n'),
    )
  })

  it('says which call was answered by an earlier result', () => {
    const calls = [call({ status: 'cached', ms: 0, attempts: 0 })]
    expect(printed(step({ calls }))).toContain('lookup(id: "A1", n: 2) from the cache\n')
  })

  it('shows long texts in whole where that is asked for', () => {
    const { stream: out, text } = stream()
    const calls = [call({ args: { text: 'x'.repeat(500) }, observation: 'one\ntwo' })]
    stepPrinter(out, { full: true })(step({ calls }))
    expect(text()).toContain('x'.repeat(500))
    expect(text()).toContain('    → one\n      two\n')
  })

  it('says which call was not run', () => {
    const calls = [call({ status: 'refused', observation: 'no such tool', ms: 0, attempts: 0 })]
    expect(printed(step({ calls }))).toContain('lookup(id: "A1", n: 2) not run\n    → no such tool')
  })

  it('says which call was answered from the cache', () => {
    const calls = [call({ status: 'cached', ms: 0, attempts: 0 })]
    expect(printed(step({ calls }))).toContain(
      'lookup(id: "A1", n: 2) from the cache\n    → shipped',
    )
  })

  it('shows long arguments and observations in part', () => {
    const calls = [call({ args: { text: 'x'.repeat(5_000) }, observation: 'y'.repeat(5_000) })]
    const lines = printed(step({ calls })).split('\n')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(200)
  })

  it('is printed once, and each of its calls as soon as it has ended', () => {
    const running = call({ status: 'running', observation: '', ms: null, attempts: 0 })
    const first = step({ status: 'calling_tools', calls: [running, running] })
    const second = { ...first, calls: [running, call({ observation: 'two' })] }
    const third = step({ calls: [call({ observation: 'one' }), call({ observation: 'two' })] })
    const lines = printed(first, first, second, third, third).split('\n')
    expect(lines.filter((text) => text.includes('→'))).toEqual(['    → two', '    → one'])
    expect(lines.filter((text) => text.startsWith('step 1'))).toHaveLength(1)
  })

  it('of another turn is another step', () => {
    expect(printed(step(), step({ turn: 2 })).match(/step 1/g)).toHaveLength(2)
  })
})

describe('the end of a run', () => {
  const usage = {
    promptTokens: 100,
    completionTokens: 20,
    totalTokens: 120,
    modelCalls: 2,
    uncountedCalls: 0,
  }

  function end(more: Partial<RunResult> = {}): string {
    const { stream: out, text } = stream()
    const usageByModel = { gpt: usage }
    const result = { answer: 'Shipped.', steps: 2, usage, usageByModel, models: { gpt: 2 } }
    printResult(out, { ...result, stopReason: 'answered', ...more }, 3.14)
    return text()
  }

  it('is the answer, the reason and the figures', () => {
    expect(end()).toBe('\nShipped.\n\nanswered · 2 steps · 120 tokens · 3.1 s\n')
    expect(end({ costUsd: 1.5 })).toContain('answered · 2 steps · 120 tokens · $1.50 · 3.1 s\n')
  })

  it('may have no answer, one step, and no tokens that anyone counted', () => {
    const uncounted = { ...usage, totalTokens: 0, uncountedCalls: 2 }
    expect(end({ answer: '', stopReason: 'empty_reply', steps: 1, usage: uncounted })).toBe(
      '\n(no answer)\n\nempty_reply · 1 step · tokens unknown · 3.1 s\n',
    )
  })
})
