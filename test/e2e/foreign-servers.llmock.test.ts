import { beforeAll, expect, test } from 'vitest'
import { testAgent } from '../kit/agents.js'
import { type Behavior, installLLMock, startLLMock } from '../kit/llmock.js'
import { INSTALL_TIMEOUT_MS } from '../kit/python-packages.js'
import { requestsOf, runAgainst } from '../kit/run-against.js'
import type { RunFigures } from '../kit/run-figures.js'

// A server that nobody here wrote, which also judges its clients: what its verdict finds is as good as a
// failed assertion of ours.

beforeAll(installLLMock, INSTALL_TIMEOUT_MS)

/** What llmock is told to do, and what must come of it. */
interface Scenario {
  readonly name: string
  readonly behaviors: readonly Behavior[]
  readonly end: string
  readonly attempts: number
  /** What the verdict finds all the same, each with the reason why it does not apply. @default nothing */
  readonly inapplicable?: Readonly<Record<string, string>>
  readonly check?: (figures: RunFigures | undefined) => void
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'no fault', behaviors: [], end: 'answered', attempts: 2 },
  {
    name: 'rate limit with retry-after',
    behaviors: [{ type: 'fail', status: 429, retry_after: 1.5, times: 2 }],
    end: 'answered',
    attempts: 4,
  },
  {
    name: 'a wait below a second (retry-after-ms), then an overloaded server',
    behaviors: [
      { type: 'fail', status: 429, retry_after: 0.3 },
      { type: 'fail', status: 503 },
    ],
    end: 'answered',
    attempts: 4,
  },
  {
    name: 'dropped connection',
    behaviors: [{ type: 'stream_fault', kind: 'disconnect', after_chunks: 2 }],
    end: 'answered',
    attempts: 3,
  },
  {
    name: 'truncated stream',
    behaviors: [{ type: 'stream_fault', kind: 'truncate', after_chunks: 2 }],
    end: 'answered',
    attempts: 3,
  },
  {
    name: 'stream truncated after the last argument, before the finish reason',
    behaviors: [{ type: 'stream_fault', kind: 'truncate', after_chunks: 4 }],
    end: 'answered',
    attempts: 3,
  },
  {
    name: 'stream cut between its finish reason and its end',
    behaviors: [{ type: 'stream_fault', kind: 'truncate', after_chunks: 5 }],
    end: 'answered',
    attempts: 2,
    inapplicable: {
      truncated_stream_accepted:
        'llmock looks at the cut alone; the reply was whole, only [DONE] is missing',
    },
  },
  {
    name: 'malformed chunk',
    behaviors: [{ type: 'stream_fault', kind: 'malformed', after_chunks: 1 }],
    end: 'answered',
    attempts: 3,
  },
  {
    name: 'stalled stream',
    behaviors: [{ type: 'stream_fault', kind: 'stall', after_chunks: 1, stall_seconds: 20 }],
    end: 'answered',
    attempts: 3,
  },
  {
    name: 'malformed tool arguments',
    behaviors: [{ type: 'tool_fault', kind: 'malformed_arguments' }],
    end: 'answered',
    attempts: 2,
    check: (figures) => expect(figures?.steps[0]?.calls).toMatchObject([{ status: 'refused' }]),
  },
  {
    name: 'unknown tool',
    behaviors: [{ type: 'tool_fault', kind: 'unknown_tool' }],
    end: 'answered',
    attempts: 2,
    check: (figures) =>
      expect(figures?.steps[0]?.calls).toMatchObject([
        { name: 'llmock_unknown_tool', status: 'refused' },
      ]),
  },
  {
    name: 'unknown tool, whatever it is told',
    behaviors: [{ type: 'tool_fault', kind: 'unknown_tool', times: null }],
    end: 'repeats',
    attempts: 4,
  },
  {
    name: 'a connection that drops in every call',
    behaviors: [{ type: 'stream_fault', kind: 'disconnect', after_chunks: 1, times: null }],
    end: 'model_error',
    attempts: 4,
  },
  {
    name: 'a rejected key',
    behaviors: [{ type: 'fail', status: 401, times: null }],
    end: 'model_error',
    attempts: 1,
  },
  {
    name: 'out of quota',
    behaviors: [{ type: 'fail', status: 429, code: 'insufficient_quota', times: null }],
    end: 'model_error',
    attempts: 1,
    inapplicable: {
      gave_up: 'llmock looks at the status alone; no second attempt fills an account',
    },
  },
  {
    name: 'a prompt that is too long',
    behaviors: [{ type: 'fail', status: 400, code: 'context_length_exceeded', times: null }],
    end: 'context_length',
    // Once more without tools, since nothing else can be left out.
    attempts: 2,
  },
]

// Without a pause a small stream is sent to its end before anybody can stop reading it, and llmock takes
// that for reading on.
const PACED = { LLMOCK_STREAM_CHUNK_DELAY_MS: '30' }

for (const { name, behaviors, end, attempts, inapplicable = {}, check } of SCENARIOS) {
  test(`llmock, ${name}: the run ends ${end}, and the verdict is good`, async (context) => {
    const mock = await startLLMock(context, PACED)
    if (behaviors.length > 0) await mock.script(behaviors)
    const model = { baseURL: mock.baseURL, idleTimeoutMs: 3_000 }
    const agent = testAgent({ modelRetry: { maximumAttempts: 4 } })
    const [figures] = await runAgainst(model, agent, ['Is A1 there?'])
    expect(figures).toMatchObject({ end, attempts, resends: 0, workflowTaskFailures: 0 })
    const { findings, ...verdict } = await mock.verdict()
    expect(verdict.attempts).toBe(attempts)
    expect(findings.map(({ code }) => code)).toEqual(Object.keys(inapplicable))
    check?.(figures)
  })
}

test('llmock in chaos: every run ends with a named reason, and the verdict is good', async (context) => {
  // Cut and malformed chunks may come after the finish reason here, where its verdict does not apply.
  const kinds = ['ERROR_RATE_429', 'ERROR_RATE_500', 'ERROR_RATE_503', 'STREAM_FAULT_DISCONNECT']
  const chaos = Object.fromEntries(kinds.map((kind) => [`LLMOCK_${kind}`, '0.15']))
  const mock = await startLLMock(context, { ...PACED, ...chaos })
  const agent = testAgent({ modelRetry: { maximumAttempts: 4 } })
  // llmock takes equal requests for attempts at one call.
  const inputs = Array.from({ length: 10 }, (_, i) => `Is A${i} there?`)
  const runs = await runAgainst({ baseURL: mock.baseURL }, agent, inputs)
  for (const { end, workflowTaskFailures } of runs) {
    expect(['answered', 'model_error']).toContain(end)
    expect(workflowTaskFailures).toBe(0)
  }
  expect(await mock.verdict()).toMatchObject({ passed: true, attempts: requestsOf(runs) })
})
