import { describe, expect, it } from 'vitest'
import {
  FAILURE_RULES,
  MAX_WAIT_MS,
  modelFailure,
  type Outcome,
  outcomeOf,
} from '../../../src/activities/failures.js'
import { ModelError, type ModelErrorFacts } from '../../../src/models/model-error.js'

const FRESH = { attempt: 1, elapsedMs: 0, totalMs: 600_000 }

function failed(facts: Partial<ModelErrorFacts> & { readonly message?: string } = {}) {
  const { message = 'x', ...rest } = facts
  return new ModelError(message, { status: null, ...rest })
}

function header(name: string, value: string): Headers {
  return new Headers({ [name]: value })
}

/** Errors that the rows of the table are for, row by row. */
const ROWS: readonly (readonly [Outcome, readonly ModelError[]])[] = [
  [
    'context_length',
    [
      failed({ status: 400, code: 'context_length_exceeded' }),
      failed({ status: null, code: 'context_length_exceeded' }),
      failed({ status: 400, message: "This model's maximum context length is 8192 tokens." }),
      failed({ status: 413, message: 'prompt is too long: 210000 tokens > 200000 maximum' }),
      failed({ status: 400, message: 'The request exceeds the available context size.' }),
      failed({ status: 422, message: 'input is longer than the context window' }),
      failed({ status: 400, message: 'exceeds the maximum number of tokens allowed' }),
    ],
  ],
  [
    'content_filter',
    [
      failed({ status: 400, code: 'content_filter' }),
      failed({ status: 400, code: 'content_policy_violation' }),
    ],
  ],
  [
    'final',
    [
      failed({ status: 429, code: 'insufficient_quota' }),
      failed({ status: 403, code: 'insufficient_quota' }),
      failed({ status: null, code: 'insufficient_quota' }),
      failed({ status: 402 }),
      failed({ status: 400, code: 'billing_hard_limit_reached' }),
      failed({ status: 429, message: 'You exceeded your current quota, please check your plan.' }),
    ],
  ],
  [
    'final',
    [503, 429, 500].map((status) => failed({ status, headers: header('x-should-retry', 'false') })),
  ],
  [
    'retried',
    [400, 401, 503].map((status) => failed({ status, headers: header('x-should-retry', 'true') })),
  ],
  ['retried', [failed(), failed({ code: 'connection' }), failed({ code: 'idle_timeout' })]],
  [
    'retried',
    [408, 409, 425, 429, 500, 502, 503, 504, 529, 599].map((status) => failed({ status })),
  ],
  ['final', [400, 401, 403, 404, 405, 413, 422, 302].map((status) => failed({ status }))],
]

describe('the table of failures', () => {
  it('has as many rows as are tested here, with these outcomes', () => {
    expect(FAILURE_RULES.map(({ outcome }) => outcome)).toEqual(ROWS.map(([outcome]) => outcome))
  })

  const rows = ROWS.flatMap(([outcome, errors], row) =>
    errors.map((error) => ({ row, outcome, error, what: `${error.status} ${error.code}` })),
  )
  it.each(rows)('row $row decides on $what: $outcome', ({ row, outcome, error }) => {
    expect(FAILURE_RULES.findIndex((rule) => rule.matches(error))).toBe(row)
    expect(outcomeOf(error)).toBe(outcome)
  })

  it.each([
    [429, 'Rate limit reached: too many tokens in this context window of one minute'],
    [503, 'context length service is down'],
    [429, 'maximum of 90000 tokens per minute'],
  ])('%i that only sounds like a long prompt is retried', (status, message) => {
    expect(outcomeOf(failed({ status, message }))).toBe('retried')
  })

  it('takes a quota in the message of another status than 429 for no quota', () => {
    expect(outcomeOf(failed({ status: 503, message: 'billing service is down' }))).toBe('retried')
  })
})

describe('a failed model call', () => {
  it.each([408, 409, 425, 429, 500, 502, 503, 504, 529])('with status %i is retried', (status) => {
    const failure = modelFailure(failed({ status }), FRESH)
    expect(failure).toMatchObject({
      type: 'ModelUnavailable',
      nonRetryable: false,
      message: `HTTP ${status}: x`,
    })
    // Without a hint Temporal's own backoff decides.
    expect(failure.nextRetryDelay ?? null).toBeNull()
  })

  it.each([400, 401, 402, 403, 404, 405, 413, 422])('with status %i is final', (status) => {
    expect(modelFailure(failed({ status }), FRESH)).toMatchObject({
      type: 'ModelRejected',
      nonRetryable: true,
      message: `HTTP ${status}: x`,
    })
  })

  it('without a status is retried', () => {
    expect(modelFailure(failed({ message: 'reset' }), FRESH)).toMatchObject({
      type: 'ModelUnavailable',
      nonRetryable: false,
      message: 'reset',
    })
  })

  it.each([429, 403, null])('for lack of money is final (status %s)', (status) => {
    const error = failed({ message: 'pay', status, code: 'insufficient_quota' })
    expect(modelFailure(error, FRESH)).toMatchObject({ type: 'ModelRejected', nonRetryable: true })
  })

  it('keeps no cause', () => {
    const error = failed({ status: 500, cause: new Error('key') })
    expect(modelFailure(error, FRESH).cause).toBeUndefined()
    expect(modelFailure(failed({ status: 400, cause: new Error('key') }), FRESH).cause).toBe(
      undefined,
    )
  })
})

describe('the wait that a server asks for', () => {
  const asking = (value: string, status = 429) =>
    failed({ status, headers: header('retry-after', value) })

  it.each([
    ['retry-after', '2', 2_000],
    ['retry-after', '300', MAX_WAIT_MS],
    ['retry-after-ms', '300', 300],
  ])('%s: %s becomes the delay before the next attempt', (name, value, ms) => {
    const error = failed({ status: 503, headers: header(name, value) })
    expect(modelFailure(error, FRESH)).toMatchObject({
      type: 'ModelUnavailable',
      nonRetryable: false,
      nextRetryDelay: ms,
    })
  })

  it.each(['301', '1382400', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'is obeyed up to 5 minutes; %s ends the call, with the reason',
    (value) => {
      expect(modelFailure(asking(value), FRESH)).toMatchObject({
        type: 'ModelRejected',
        nonRetryable: true,
        message: expect.stringMatching(
          /^HTTP 429: x \(the server asks to wait \d+ s, over 300 s\)/,
        ),
      })
    },
  )

  it.each(['-5', 'NaN', 'soon', '', '0', 'Mon, 01 Jan 2001 00:00:00 GMT', 'Infinity'])(
    '%j is none: the backoff decides',
    (value) => {
      const failure = modelFailure(asking(value), FRESH)
      expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false })
      expect(failure.nextRetryDelay ?? null).toBeNull()
    },
  )

  it('is not asked of a failure that is final', () => {
    const failure = modelFailure(asking('2', 401), FRESH)
    expect(failure).toMatchObject({ type: 'ModelRejected', message: 'HTTP 401: x' })
    expect(failure.nextRetryDelay ?? null).toBeNull()
  })
})

describe('the time of one model call', () => {
  const GIVEN_UP = 'the time of 600 s is used up'

  it.each([
    // Temporal's backoff: 1, 2, 4, 8, 16, 30, 30 … seconds.
    [1, 599_000, false],
    [1, 599_001, true],
    [5, 584_000, false],
    [5, 584_001, true],
    [6, 570_000, false],
    [6, 570_001, true],
    [40, 570_000, false],
    [40, 570_001, true],
  ])('is kept by attempt %i after %i ms: given up %s', (attempt, elapsedMs, givenUp) => {
    const failure = modelFailure(failed({ status: 500 }), { ...FRESH, attempt, elapsedMs })
    expect(failure.nonRetryable).toBe(givenUp)
    expect(failure.type).toBe(givenUp ? 'ModelRejected' : 'ModelUnavailable')
    expect(failure.message.includes(GIVEN_UP)).toBe(givenUp)
  })

  it.each([
    [590_000, false],
    [590_001, true],
  ])('counts the wait that the server asks for (%i ms): given up %s', (elapsedMs, givenUp) => {
    const error = failed({ status: 429, headers: header('retry-after', '10') })
    const failure = modelFailure(error, { ...FRESH, elapsedMs })
    expect(failure.nonRetryable).toBe(givenUp)
    expect(failure.message.includes(GIVEN_UP)).toBe(givenUp)
  })
})
