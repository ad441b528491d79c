import { ApplicationFailure } from '@temporalio/activity'
import { FAILURE } from '../contract/failures.js'
import type { Finish } from '../contract/reply.js'
import { shorten } from '../contract/text.js'
import type { ModelError } from '../models/model-error.js'
import { retryAfterMs } from './retry-after.js'

/** What becomes of a failed request to a model. */
export type Outcome = 'retried' | 'final' | Extract<Finish, 'context_length' | 'content_filter'>

/** One row of the table in docs/failures.md. */
export interface FailureRule {
  /** The row's first column. */
  readonly when: string
  readonly outcome: Outcome
  readonly matches: (error: ModelError) => boolean
}

// OpenAI, vLLM, llama.cpp, Anthropic, xAI, Bedrock and TGI, in their own words.
const CONTEXT_LENGTH =
  /context.?(length|window|size)|maximum.{1,20}tokens|maximum prompt length|(prompt|input) is too long|max_new_tokens.{0,20}must be/i
const QUOTA = /insufficient_quota|exceeded your current quota|billing/i
/** Statuses below 500 that another attempt can cure. */
const TRANSIENT = new Set([408, 409, 425, 429])

/** The first row that matches decides. The same table, in words, is docs/failures.md; a test compares them. */
export const FAILURE_RULES: readonly FailureRule[] = [
  {
    when: 'the prompt is too long for the model (`context_length_exceeded`, or a 4xx that says so)',
    outcome: 'context_length',
    matches: ({ status, code, message }) =>
      code === 'context_length_exceeded' ||
      ((status === null ? code === 'error_in_body' : status < 429) && CONTEXT_LENGTH.test(message)),
  },
  {
    when: 'the prompt was filtered (`content_filter`, `content_policy_violation`)',
    outcome: 'content_filter',
    matches: ({ code }) => code === 'content_filter' || code === 'content_policy_violation',
  },
  {
    when: 'out of quota (`insufficient_quota`, billing, 402)',
    outcome: 'final',
    matches: ({ status, code, message, headers }) =>
      status === 402 ||
      QUOTA.test(code ?? '') ||
      // With a hint when to come back it is a rate limit, whatever it is called.
      (status === 429 && QUOTA.test(message) && !headers.has('retry-after')),
  },
  {
    when: '`x-should-retry: false`',
    outcome: 'final',
    matches: ({ headers }) => headers.get('x-should-retry') === 'false',
  },
  {
    when: '`x-should-retry: true`',
    outcome: 'retried',
    matches: ({ headers }) => headers.get('x-should-retry') === 'true',
  },
  {
    when: 'no complete response: connection refused or reset (before or in the body), cut JSON, cut stream, HTML, an error inside of a 200, nothing sent for `idleTimeoutMs`',
    outcome: 'retried',
    matches: ({ status }) => status === null,
  },
  {
    when: '408, 409, 425, 429, any 5xx',
    outcome: 'retried',
    matches: ({ status }) => status !== null && (status >= 500 || TRANSIENT.has(status)),
  },
  {
    when: 'any other status (400, 401, 403, 404, 422 …)',
    outcome: 'final',
    matches: () => true,
  },
]

/** How much patience is left for one model call. */
export interface Patience {
  /** This attempt, from 1. */
  readonly attempt: number
  /** Milliseconds since the call's first attempt, without the time that no worker was there. */
  readonly elapsedMs: number
  /** Milliseconds that all attempts may take together. */
  readonly totalMs: number
}

/** Characters of a provider's message in a failure. */
const MAX_CHARS = 500
/** Milliseconds that a server may ask to wait; above it the call fails. */
export const MAX_WAIT_MS = 300_000
/** Temporal's backoff between the attempts at a model call; the workflow schedules them with the same. */
const BACKOFF = { firstMs: 1_000, maxMs: 30_000 }

/** What becomes of a request that failed so. */
export function outcomeOf(error: ModelError): Outcome {
  return FAILURE_RULES.find((rule) => rule.matches(error))?.outcome ?? 'final'
}

/** The Temporal failure for a failed request. No cause is kept: it may hold a key. */
export function modelFailure(error: ModelError, patience: Patience): ApplicationFailure {
  const message = shorten(error.message, MAX_CHARS)
  const told = error.status === null ? message : `HTTP ${error.status}: ${message}`
  if (outcomeOf(error) === 'final') return rejected(told)
  const hint = retryAfterMs(error.headers, Date.now())
  if (hint !== null && hint > MAX_WAIT_MS) {
    return rejected(
      `${told} (the server asks to wait ${seconds(hint)}, over ${seconds(MAX_WAIT_MS)})`,
    )
  }
  const wait = hint ?? Math.min(BACKOFF.firstMs * 2 ** (patience.attempt - 1), BACKOFF.maxMs)
  if (patience.elapsedMs + wait > patience.totalMs) {
    return rejected(`${told} (given up: the time of ${seconds(patience.totalMs)} is used up)`)
  }
  return ApplicationFailure.create({
    type: FAILURE.modelUnavailable,
    message: told,
    ...(hint === null ? {} : { nextRetryDelay: hint }),
  })
}

function rejected(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, FAILURE.modelRejected)
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1_000)} s`
}
