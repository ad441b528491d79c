import { expect, it } from 'vitest'
import { printPending, printUsage, transcriptPrinter } from '../../../src/cli/print-transcript.js'
import type { Aside } from '../../../src/client/history/aside.js'
import type { Step } from '../../../src/client/history/step.js'
import type { Opening, Transcript } from '../../../src/client/history/transcript.js'
import { stream } from './streams.js'

const OPENING: Opening = { agent: 'support', model: 'gpt', question: 'Where is it?' }
const HEAD = 'support · gpt · ticket-42\nWhere is it?\n\n'
const TOKENS = { promptTokens: 100, completionTokens: 20 }

function aside(more: Partial<Aside> = {}): Aside {
  return {
    kind: 'summary',
    turn: 1,
    step: 2,
    status: 'done',
    model: 'gpt',
    text: 'They met.',
    messages: 5,
    tokens: TOKENS,
    costUsd: 0.0042,
    startedAt: new Date(0),
    attempts: 1,
    retryCause: null,
    ms: 1_240,
    ...more,
  }
}

const STEP: Step = {
  turn: 1,
  step: 1,
  forced: false,
  strategy: 'calm',
  status: 'done',
  model: 'gpt',
  failedModels: [],
  dropped: 0,
  adapted: [],
  text: 'hi',
  finish: 'stop',
  calls: [],
  tokens: null,
  costUsd: null,
  startedAt: new Date(0),
  attempts: 1,
  retryCause: null,
  ms: 0,
}

function printer() {
  const { stream: out, text } = stream()
  return { ...transcriptPrinter(out, { id: 'ticket-42' }), text }
}

it('a run begins with agent, model, id and question, once', () => {
  const { open, text } = printer()
  open(OPENING)
  open(OPENING)
  expect(text()).toBe(HEAD)
})

it('a run of which nothing is known has its id', () => {
  const { open, text } = printer()
  open({ agent: '', model: '', question: null })
  expect(text()).toBe('agent · ticket-42\n\n')
})

it.each<[Partial<Aside>, string]>([
  [{}, 'memory: 5 messages summarised 100 + 20 tokens · $0.0042 · 1.2 s\n    → They met.\n'],
  [
    { text: '', tokens: null, costUsd: null, messages: 1 },
    'memory: 1 message left out, the summary was empty 1.2 s\n',
  ],
  [
    { status: 'failed', text: 'HTTP 503', tokens: null, costUsd: null, attempts: 2 },
    'memory: 5 messages left out, no summary (HTTP 503) 1.2 s · 2 attempts\n',
  ],
  [{ kind: 'strategy', text: 'calm', costUsd: null }, 'strategy: calm 100 + 20 tokens · 1.2 s\n'],
  [{ kind: 'strategy', text: '', tokens: null, costUsd: null }, 'strategy: none 1.2 s\n'],
  [
    { kind: 'strategy', status: 'failed', text: 'HTTP 401', tokens: null, costUsd: null },
    'strategy: none (the choice failed: HTTP 401) 1.2 s\n',
  ],
  [{ status: 'running' }, ''],
])('an aside %j', (more, expected) => {
  const { change, text } = printer()
  change({ kind: 'aside', aside: aside(more) }, OPENING)
  expect(text()).toBe(HEAD + expected)
})

it('a strategy is told once, with the figures of its choice where they are known', () => {
  const chosen = printer()
  chosen.change({ kind: 'aside', aside: aside({ kind: 'strategy', text: 'calm' }) }, OPENING)
  chosen.change({ kind: 'step', step: STEP }, OPENING)
  expect(chosen.text().match(/strategy: calm/g)).toHaveLength(1)
  const carried = printer()
  carried.change({ kind: 'step', step: STEP }, OPENING)
  expect(carried.text()).toBe(`${HEAD}strategy: calm\nstep 1 · answer 0.0 s\n`)
})

it('what each model used is a line', () => {
  const usage = { ...TOKENS, totalTokens: 120, modelCalls: 2, uncountedCalls: 1 }
  const transcript: Transcript = {
    ...OPENING,
    steps: [{ ...STEP, tokens: TOKENS, costUsd: 0.001 }, STEP],
    asides: [aside()],
    usage,
    usageByModel: {
      gpt: usage,
      local: { ...usage, modelCalls: 1 },
    },
    costUsd: null,
    stuck: null,
  }
  const { stream: out, text } = stream()
  printUsage(out, transcript)
  expect(text()).toBe(
    [
      '  gpt: 2 model calls · 100 + 20 tokens · $0.0052 · 1 not counted',
      '  local: 1 model call · tokens unknown',
      '',
    ].join('\n'),
  )
})

it('an open run says what it waits for', () => {
  const waiting = { type: 'callModel', attempt: 3, nextAttemptAt: null, lastFailure: null }
  const { stream: out, text } = stream()
  printPending(out, [
    { ...waiting, state: 'running', lastFailure: 'HTTP 503' },
    { ...waiting, state: 'waiting_for_worker' },
    { ...waiting, state: 'waiting_to_retry', nextAttemptAt: new Date(0) },
  ])
  expect(text()).toBe(
    [
      '  callModel: attempt 3 is running',
      '    tried again after: HTTP 503',
      '  callModel: no worker has taken it yet',
      '  callModel: attempt 3 comes next, at 1970-01-01T00:00:00.000Z',
      '',
    ].join('\n'),
  )
})
