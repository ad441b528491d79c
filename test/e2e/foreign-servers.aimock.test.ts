import { LLMock as AIMock, type FixtureOpts } from '@copilotkit/aimock'
import { expect, onTestFinished, test } from 'vitest'
import { testAgent } from '../kit/agents.js'
import { requestsOf, runAgainst } from '../kit/run-against.js'
import type { RunFigures } from '../kit/run-figures.js'

// A server that nobody here wrote: what it sends, and what it makes of our requests, is not our idea of
// the API but its own.

const CALL = { toolCalls: [{ name: 'lookup', arguments: '{"id":"A1"}' }] }
const ANSWER = { content: 'A1 is there, as the lookup of the test says.' }
const INPUT = 'Is A1 there?'

async function startAIMock(): Promise<AIMock> {
  const mock = new AIMock({ port: 0, strict: true })
  await mock.start()
  onTestFinished(() => mock.stop())
  return mock
}

/** Nothing went over the wire that Temporal does not know of. */
function expectNothingHidden(mock: AIMock, runs: readonly RunFigures[]): void {
  expect(mock.getRequests()).toHaveLength(requestsOf(runs))
  expect(runs.filter(({ workflowTaskFailures }) => workflowTaskFailures > 0)).toEqual([])
}

test.each([true, false])(
  'aimock, stream %s: a call, its observation, an answer',
  async (stream) => {
    const mock = await startAIMock()
    mock
      .on({ userMessage: INPUT, turnIndex: 0, hasToolResult: false }, CALL)
      .on({ turnIndex: 1, hasToolResult: true, toolResultContains: '"found":true' }, ANSWER)
    const runs = await runAgainst({ baseURL: `${mock.url}/v1`, stream }, testAgent(), [INPUT])
    expect(runs[0]).toMatchObject({ end: 'answered', text: ANSWER.content, attempts: 2 })
    expect(runs[0]?.steps[0]?.calls).toMatchObject([{ args: { id: 'A1' }, status: 'ok' }])
    expectNothingHidden(mock, runs)
  },
)

const AIMOCK_FAULTS: readonly (FixtureOpts & { readonly name: string })[] = [
  { name: '500', chaos: { dropRate: 1 } },
  { name: '429 with retry-after', chaos: { rateLimitRate: 1 } },
  { name: 'a body that is no JSON', chaos: { malformedRate: 1 } },
  { name: 'a connection dropped before the headers', chaos: { disconnectRate: 1 } },
  // Only a stream can be cut: without one aimock serves the whole document.
  { name: 'a stream cut after two chunks', truncateAfterChunks: 2, chunkSize: 4 },
  { name: 'a stream cut in time', disconnectAfterMs: 30, latency: 20, chunkSize: 4 },
]

test.each(AIMOCK_FAULTS)('aimock: after $name the same call is made again', async (fault) => {
  const { name: _, ...options } = fault
  const check = async (stream: boolean) => {
    const mock = await startAIMock()
    mock
      .on({ userMessage: INPUT, hasToolResult: false, sequenceIndex: 0 }, CALL, options)
      .on({ userMessage: INPUT, hasToolResult: false, sequenceIndex: 1 }, CALL)
      .on({ hasToolResult: true, sequenceIndex: 0 }, ANSWER, options)
      .on({ hasToolResult: true, sequenceIndex: 1 }, ANSWER)
    const runs = await runAgainst({ baseURL: `${mock.url}/v1`, stream }, testAgent(), [INPUT])
    const attempts = stream || options.chaos !== undefined ? 4 : 2
    expect(runs[0]).toMatchObject({ end: 'answered', text: ANSWER.content, attempts })
    expectNothingHidden(mock, runs)
  }
  await Promise.all([check(true), check(false)])
})

test('aimock: a server that never recovers ends the run with its reason', async () => {
  const mock = await startAIMock()
  mock.on({ userMessage: INPUT }, CALL, { chaos: { dropRate: 1 } })
  const agent = testAgent({ modelRetry: { maximumAttempts: 3 } })
  const runs = await runAgainst({ baseURL: `${mock.url}/v1` }, agent, [INPUT])
  expect(runs[0]).toMatchObject({ end: 'model_error', attempts: 3 })
  expect(runs[0]?.text).toContain('Chaos: request dropped')
  expectNothingHidden(mock, runs)
})

test('aimock: what no attempt can cure is asked once', async () => {
  const mock = await startAIMock()
  mock.nextRequestError(401, { message: 'No such key.', type: 'invalid_request_error' })
  const model = { baseURL: `${mock.url}/v1`, apiKey: 'a-key-of-the-test' }
  const runs = await runAgainst(model, testAgent(), [INPUT])
  expect(runs[0]).toMatchObject({ end: 'model_error', attempts: 1 })
  expect(runs[0]?.text).toContain('No such key.')
  expectNothingHidden(mock, runs)
})

test('aimock in chaos: every run ends with a named reason, and no request is hidden', async () => {
  const mock = await startAIMock()
  mock.on({ userMessage: INPUT, hasToolResult: false }, CALL).on({ hasToolResult: true }, ANSWER)
  mock.setChaos({ dropRate: 0.2, rateLimitRate: 0.2, malformedRate: 0.2, disconnectRate: 0.2 })
  const agent = testAgent({ modelRetry: { maximumAttempts: 3 } })
  const inputs = Array.from({ length: 10 }, () => INPUT)
  const runs = await runAgainst({ baseURL: `${mock.url}/v1` }, agent, inputs)
  for (const { end } of runs) expect(['answered', 'model_error']).toContain(end)
  expectNothingHidden(mock, runs)
})
