import { expect, test } from 'vitest'
import {
  cutJson,
  cutStream,
  empty,
  hang,
  html,
  type Reply,
  raw,
  reset,
  say,
  sse,
  status,
} from '../../src/testing/index.js'
import { openAIModel } from '../../src/worker.js'
import { testAgent } from '../kit/agents.js'
import { attempts } from '../kit/attempts.js'
import { openStage } from './kit.js'

const inMs = (ms: number) => new Date(Date.now() + ms).toUTCString()

/** Headers, and the milliseconds that must pass before the next request, or the moment it must not precede. */
const HINTS: readonly (readonly [headers: Record<string, string>, atLeastMs: number | 'date'])[] = [
  [{ 'retry-after': '2' }, 2_000],
  [{ 'retry-after': '2.5' }, 2_500],
  [{ 'retry-after': ' 2 ' }, 2_000],
  [{ 'retry-after': inMs(4_000) }, 'date'],
  [{ 'retry-after-ms': '300' }, 300],
  [{ 'retry-after-ms': '1700' }, 1_700],
  [{ 'retry-after-ms': '2200', 'retry-after': '60' }, 2_200],
  [{ 'retry-after-ms': 'soon', 'retry-after': '2' }, 2_000],
  [{ 'retry-after-ms': '-1', 'retry-after': '2' }, 2_000],
  [{ 'retry-after-ms': 'NaN', 'retry-after': inMs(4_000) }, 'date'],
  // From here on there is no hint that can be used: Temporal's backoff.
  [{}, 1_000],
  [{ 'retry-after': inMs(-60_000) }, 1_000],
  [{ 'retry-after': '-5' }, 1_000],
  [{ 'retry-after': 'NaN' }, 1_000],
  [{ 'retry-after': '0' }, 1_000],
  [{ 'retry-after': 'Infinity' }, 1_000],
  [{ 'retry-after': 'later' }, 1_000],
  [{ 'retry-after': '1, 2' }, 1_000],
  [{ 'retry-after': '2099-99-99' }, 1_000],
  [{ 'retry-after-ms': '0x', 'retry-after': '' }, 1_000],
  [{ 'x-should-retry': 'perhaps' }, 1_000],
]

test('B24 · the wait that a server asks for is kept, and a bad one is passed over', async () => {
  const stage = await openStage({ agents: [testAgent()] })
  const outcomes = await Promise.all(
    HINTS.map(([headers], i) =>
      stage.play({ script: [status([429, 503, 500][i % 3] ?? 0, { headers }), say('back')] }),
    ),
  )
  for (const [i, { result, requests }] of outcomes.entries()) {
    const [headers = {}, atLeastMs = 0] = HINTS[i] ?? []
    const name = JSON.stringify(headers)
    expect(result, name).toMatchObject({ answer: 'back', steps: 1 })
    const [first = 0, second = 0] = requests.map(({ at }) => at)
    const from = atLeastMs === 'date' ? Date.parse(headers['retry-after'] ?? '') : first + atLeastMs
    // Clocks tick in whole milliseconds.
    expect(second, name).toBeGreaterThanOrEqual(from - 2)
  }
})

/** Answers after which there is no second request, and what the error says. */
const FINAL_HINTS: Record<string, readonly [reply: Reply, told: RegExp]> = {
  '16 days': [status(429, { headers: { 'retry-after': '1382400' } }), /asks to wait 1382400 s/],
  'a date in 16 days': [
    status(503, { headers: { 'retry-after': inMs(1_382_400_000) } }),
    /asks to wait 13823\d\d s|asks to wait 1382400 s/,
  ],
  '16 days in milliseconds': [
    status(503, { headers: { 'retry-after-ms': '1382400000' } }),
    /asks to wait 1382400 s/,
  ],
  'just over the cap': [status(429, { headers: { 'retry-after': '301' } }), /asks to wait 301 s/],
  'a wait over the time that is left': [
    status(429, { headers: { 'retry-after': '200' } }),
    /given up: the time of 60 s/,
  ],
  'x-should-retry: false on 503': [status(503, { headers: { 'x-should-retry': 'false' } }), /503/],
  'x-should-retry: false on 429': [
    status(429, { headers: { 'x-should-retry': 'false', 'retry-after': '1' } }),
    /429/,
  ],
}

test('B24 · a wait that is too long fails at once, with the reason; x-should-retry is obeyed', async () => {
  const modelRetry = { totalTime: '60s' } as const
  const stage = await openStage({ agents: [testAgent({ modelRetry })] })
  const cases = Object.entries(FINAL_HINTS)
  const outcomes = await Promise.all(cases.map(([, [reply]]) => stage.play({ script: [reply] })))
  for (const [i, { error, requests }] of outcomes.entries()) {
    const [name, [, told]] = cases[i] ?? ['', [null, /$^/]]
    expect(error, name).toMatchObject({ reason: 'model_error' })
    expect(String(error), name).toMatch(told)
    expect(requests, name).toHaveLength(1)
  }
  const retry = { 'x-should-retry': 'true' }
  const { result } = await stage.play({ script: [status(400, { headers: retry }), say('back')] })
  expect(result?.answer).toBe('back')
})

/** Faults that another attempt can cure. */
const TRANSIENT: Record<string, Reply> = {
  ...Object.fromEntries(
    [408, 409, 425, 429, 500, 502, 503, 504, 520, 529, 599].map((code) => [
      `status ${code}`,
      status(code),
    ]),
  ),
  'a reset before the headers': reset('before'),
  'a reset in the body': reset('body'),
  'cut JSON': cutJson(say('never whole')),
  'a cut stream': cutStream(say('never whole')),
  'a page with 200': html(200),
  'a page with 502': html(),
  'an error in a 200': raw({ error: { message: 'overloaded', code: 503 } }),
  'an error text in a 200': raw({ error: 'overloaded' }),
  'no choices': raw({ choices: [] }),
  'choices null': raw({ choices: null }),
  'no message': raw({ choices: [{ finish_reason: 'stop' }] }),
  'an empty object': raw({}),
  null: raw(null),
  'a list': raw([]),
  'an empty body': raw('', { headers: { 'content-type': 'application/json' } }),
  'text instead of JSON': raw('upstream timed out', { headers: { 'content-type': 'text/plain' } }),
  'an empty stream': sse([]),
  'an error first in a stream': sse([{ error: { message: 'overloaded' } }]),
  'no answer': hang(),
  'half an answer, then nothing': hang('body'),
}

test.each([true, false])(
  'B26 · faults that may pass are tried again (stream: %s)',
  async (stream) => {
    const stage = await openStage({
      agents: [testAgent()],
      makeModel: (baseURL) => openAIModel({ baseURL, stream, idleTimeoutMs: 1_000 }),
    })
    const cases = Object.entries(TRANSIENT)
    const outcomes = await Promise.all(
      cases.map(([, fault]) => stage.play({ script: [fault, say('back')] })),
    )
    for (const [i, { result, requests, events }] of outcomes.entries()) {
      const name = cases[i]?.[0]
      expect(result, name).toMatchObject({ answer: 'back', stopReason: 'answered', steps: 1 })
      expect(requests, name).toHaveLength(2)
      expect(attempts(events, 'callModel'), name).toBe(2)
    }
  },
)

const quota = { message: 'You exceeded your current quota.', code: 'insufficient_quota' }
const refused = (code: number) =>
  status(code, { body: { error: { message: `Refused for reason ${code}.`, code: 'no' } } })

/** Answers that another attempt cannot change, and what the error says besides the status. */
const FINAL: Record<string, readonly [reply: Reply, told: string]> = {
  ...Object.fromEntries(
    [400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 451].map((code) => [
      `status ${code}`,
      [refused(code), `HTTP ${code}: Refused for reason ${code}.`] as const,
    ]),
  ),
  'a page with 403': [html(403), '403'],
  'a text with 404': [raw('no such route', { status: 404 }), 'no such route'],
  'no body with 401': [raw('', { status: 401 }), '401'],
  'out of quota': [status(429, { body: { error: quota } }), 'exceeded your current quota'],
  billing: [
    status(429, {
      body: { error: { message: 'Check your billing details.', type: 'insufficient_quota' } },
    }),
    'billing',
  ],
}

test('B26 · answers that are final are not tried again, and tell status and message', async () => {
  const stage = await openStage({ agents: [testAgent()] })
  const cases = Object.entries(FINAL)
  const outcomes = await Promise.all(
    cases.map(([, [reply]]) => stage.play({ script: [reply, empty()] })),
  )
  for (const [i, { error, requests, events }] of outcomes.entries()) {
    const [name, [, told]] = cases[i] ?? ['', [null, '']]
    expect(error, name).toMatchObject({ name: 'AgentRunError', reason: 'model_error', step: 1 })
    expect(String(error), name).toContain(told)
    expect(requests, name).toHaveLength(1)
    expect(attempts(events, 'callModel'), name).toBe(1)
  }
})
