import { ApplicationFailure } from '@temporalio/activity'
import { FAILURE } from '../contract/failures.js'
import { ModelError } from '../models/model-error.js'

/** Statuses that another attempt can cure: time-out, conflict, too early, too many requests, and all of 5xx. */
const TRANSIENT = new Set([408, 409, 425, 429])

/** The Temporal failure for what a model call threw. No cause is kept: it may hold a key. */
export function modelFailure(error: unknown): ApplicationFailure {
  if (!(error instanceof ModelError)) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return ApplicationFailure.create({ type: FAILURE.modelUnavailable, message })
  }
  const final = !isTransient(error)
  return ApplicationFailure.create({
    type: final ? FAILURE.modelRejected : FAILURE.modelUnavailable,
    message: error.status === null ? error.message : `HTTP ${error.status}: ${error.message}`,
    nonRetryable: final,
  })
}

function isTransient({ status, code }: ModelError): boolean {
  if (code === 'insufficient_quota') return false
  return status === null || status >= 500 || TRANSIENT.has(status)
}
