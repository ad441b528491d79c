import { describe, expect, it } from 'vitest'
import { printReplay } from '../../../src/cli/print-replay.js'
import { printSummary, summaryOf } from '../../../src/cli/replay-many.js'
import { NO_USAGE } from '../../../src/contract/usage.js'
import type { RunReplay } from '../../../src/replay.js'
import { stream } from './streams.js'

const REPLAY: RunReplay = {
  id: 'ticket-42',
  verdict: { kind: 'deterministic' },
  agent: 'support',
  model: 'gpt',
  loopVersion: 1,
  executions: 1,
  events: 24,
  question: 'Where is it?',
  steps: [],
  asides: [],
  usage: NO_USAGE,
  usageByModel: {},
  costUsd: null,
  stuck: null,
  end: { status: 'cancelled', reason: 'cancelled', text: 'cancelled', result: null },
  drift: null,
}

function printed(more: Partial<RunReplay>): string {
  const { stream: out, text } = stream()
  printReplay(out, { ...REPLAY, ...more })
  return text()
}

describe('a replay on a terminal', () => {
  it('begins with the facts of the run and ends with the verdict', () => {
    expect(printed({})).toBe(
      'support · gpt · ticket-42\nWhere is it?\n\n\ncancelled\n24 events · loop 1\ndeterministic\n',
    )
    expect(printed({ loopVersion: null, executions: 3 })).toContain(
      'cancelled\n24 events in 3 executions · loop (not recorded)\n',
    )
  })

  it.each([
    [
      'event and line',
      {
        event: { id: 13, runId: 'r', type: 'TimerStarted' },
        recorded: { kind: 'timer', name: '' },
        wanted: { kind: 'activity', name: 'lookup' },
        at: ['src/agent/loop.ts:1', 'src/agent/loop.ts:2'],
      },
      'diverged at event 13 (TimerStarted): recorded is timer, today\'s code makes activity "lookup"\n  in src/agent/loop.ts:1 ← src/agent/loop.ts:2\n',
    ],
    [
      'a code that does no more',
      {
        event: { id: 13, runId: 'r', type: 'TimerStarted' },
        recorded: { kind: 'timer', name: '' },
        wanted: null,
        at: [],
      },
      "diverged at event 13 (TimerStarted): recorded is timer, today's code makes nothing\n",
    ],
    [
      'a code that does more',
      { event: null, recorded: null, wanted: { kind: 'timer', name: '' }, at: [] },
      "diverged after the last event: recorded is nothing, today's code makes timer\n",
    ],
    [
      'what the SDK says, where nothing else is known',
      { event: null, recorded: null, wanted: null, at: [] },
      'diverged: no match\n',
    ],
  ])('tells of a divergence %s', (_, divergence, text) => {
    expect(
      printed({ verdict: { kind: 'diverged', message: 'no match', ...divergence } }),
    ).toContain(text)
  })

  it('tells what throws, and where', () => {
    const verdict = { kind: 'code_error', message: 'x is no function', at: ['a.ts:3'] } as const
    expect(printed({ verdict })).toContain(
      "today's workflow code throws: x is no function\n  in a.ts:3\n",
    )
  })

  it('shows short changes on a line, texts line by line', () => {
    const drift = [
      { path: 'limits.maxSteps', recorded: 8, now: 12 },
      { path: 'tools.refund', recorded: undefined, now: { strict: true } },
      { path: 'model', recorded: 'a', now: 'b' },
      { path: 'instructions', recorded: 'Be kind.\nBe brief.', now: 'Be kind.\nBe exact.' },
    ]
    expect(printed({ drift })).toContain(`the definition of support differs today:
  limits.maxSteps: 8 → 12
  tools.refund: (none) → {"strict":true}
  model: "a" → "b"
  instructions
      Be kind.
    - Be brief.
    + Be exact.
`)
    expect(printed({ drift: [] })).toContain('the definition of support is what it was\n')
  })
})

describe('the summary of many', () => {
  const diverged = {
    ...REPLAY,
    verdict: { kind: 'code_error', message: 'x', at: [] },
  } as const
  const drift = [
    { path: 'tools.refund.description', recorded: 'a', now: 'b' },
    { path: 'tools.refund.strict', recorded: true, now: false },
    { path: 'model', recorded: 'a', now: 'b' },
  ]
  const runs = [
    { id: 'a', replay: { ...REPLAY, drift } },
    { id: 'b', replay: { ...REPLAY, drift: drift.slice(2) } },
    { id: 'c', replay: diverged },
    { id: 'd', error: { name: 'RunNotFoundError', message: 'There is no run.' } },
  ]

  it('counts what replays, what does not and what could not be read', () => {
    expect(summaryOf(runs)).toEqual({
      runs: 4,
      deterministic: 2,
      diverged: 1,
      unreadable: 1,
      drifted: 2,
    })
  })

  it('tells in which parts definitions differ, the most frequent first', () => {
    const { stream: out, text } = stream()
    printSummary(out, runs)
    expect(text()).toBe(
      "4 runs · 2 deterministic · 1 diverged · 1 not read\n2 of another definition than today's: model (2), tools.refund (1)\n",
    )
  })
})
