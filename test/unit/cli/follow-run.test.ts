import { describe, expect, it } from 'vitest'
import { followRun } from '../../../src/cli/follow-run.js'
import type { Step } from '../../../src/client/history/step.js'
import type { RunHandle } from '../../../src/client/run-handle.js'
import type { RunResult } from '../../../src/contract/run.js'
import { terminal } from './streams.js'

const USAGE = {
  promptTokens: 1,
  completionTokens: 1,
  totalTokens: 2,
  modelCalls: 1,
  uncountedCalls: 0,
}
const RESULT: RunResult = {
  answer: 'Shipped.',
  stopReason: 'answered',
  steps: 1,
  usage: USAGE,
  models: { 'test-model': 1 },
  usageByModel: { 'test-model': USAGE },
}
const STEP: Step = {
  turn: 1,
  step: 1,
  forced: false,
  strategy: null,
  status: 'done',
  model: 'test-model',
  failedModels: [],
  dropped: 0,
  adapted: [],
  text: 'Shipped.',
  finish: 'stop',
  calls: [],
  tokens: null,
  costUsd: null,
  startedAt: new Date(0),
  attempts: 1,
  retryCause: null,
  ms: 0,
}

function run(result: () => Promise<RunResult>, watched: AbortSignal[] = []): RunHandle {
  return {
    id: 'r1',
    url: 'http://ui/r1',
    attached: false,
    result,
    status: async () => ({
      status: 'running',
      startedAt: new Date(0),
      closedAt: null,
      progress: null,
      pending: [],
    }),
    pendingApprovals: async () => [],
    approve: async () => {},
    deny: async () => {},
    answer: async () => {},
    steps: async () => [STEP],
    watch: async function* ({ signal } = {}) {
      if (signal) watched.push(signal)
      yield STEP
    },
    transcript: () => Promise.reject(new Error('not asked for here')),
    cancel: async () => {},
  }
}

describe('following a run', () => {
  it('shows steps, result and link, and gives the exit code', async () => {
    const { terminal: both, out, err } = terminal()
    expect(
      await followRun(
        run(async () => RESULT),
        both,
        { json: false },
      ),
    ).toBe(0)
    expect(out()).toMatch(/^step 1 · answer .*\n\nShipped\.\n\nanswered .*\nhttp:\/\/ui\/r1\n$/)
    expect(err()).toBe('')
  })

  it('with JSON prints one document and watches nothing', async () => {
    const { terminal: both, out } = terminal()
    const watched: AbortSignal[] = []
    const stopped = { ...RESULT, stopReason: 'max_steps' as const }
    expect(
      await followRun(
        run(async () => stopped, watched),
        both,
        { json: true },
      ),
    ).toBe(3)
    expect(JSON.parse(out())).toEqual({ ...stopped, id: 'r1', url: 'http://ui/r1' })
    expect(watched).toEqual([])
  })

  it('hands a failure on, with the link, and stops watching', async () => {
    const { terminal: both, out } = terminal()
    const watched: AbortSignal[] = []
    const failing = run(() => Promise.reject(new Error('down')), watched)
    await expect(followRun(failing, both, { json: false })).rejects.toThrow('down')
    expect(out()).toContain('http://ui/r1')
    expect(watched.map(({ aborted }) => aborted)).toEqual([true])
  })
})
