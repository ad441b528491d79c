import { ApplicationFailure, type Context } from '@temporalio/activity'
import { FAILURE } from '../contract/failures.js'
import { isObject } from '../contract/json.js'
import type { Patience } from './failures.js'

/** A shorter wait for a worker is the ordinary way of a queue. */
const OUTAGE_MS = 5_000

/** The heartbeat details of a model call: Temporal hands them from one attempt to the next. */
export interface Waited {
  /** Milliseconds that attempts waited for a worker. */
  readonly waitedMs: number
}

/** Keeps the time of one model call over its attempts. */
export interface PatienceClock {
  /** To be told with each heartbeat; undefined while there is nothing to tell. */
  readonly details: Waited | undefined
  /** How much is left now. */
  left(): Patience
}

/**
 * Starts the clock of an attempt. Time in which no worker was there does not count: an outage of the
 * workers must not be taken for one of the model.
 *
 * @throws ApplicationFailure when earlier attempts have used up the time
 */
export function startPatience(
  context: Context,
  totalMs: number,
  details = waitedSoFar(context),
): PatienceClock {
  const { attempt, scheduledTimestampMs } = context.info
  const waitedMs = details?.waitedMs ?? 0
  const left = () => ({ attempt, totalMs, elapsedMs: Date.now() - scheduledTimestampMs - waitedMs })
  if (attempt > 1 && left().elapsedMs > totalMs) {
    const message = `${attempt - 1} attempts took longer than ${totalMs / 1_000} s together.`
    throw ApplicationFailure.nonRetryable(message, FAILURE.modelRejected)
  }
  return { details, left }
}

/** What attempts waited for a worker, this one included; to be asked when it begins. */
export function waitedSoFar({ info }: Context): Waited | undefined {
  const wait = Date.now() - info.currentAttemptScheduledTimestampMs
  const waitedMs = waitedBefore(info.heartbeatDetails) + (wait > OUTAGE_MS ? wait : 0)
  return waitedMs === 0 ? undefined : { waitedMs }
}

function waitedBefore(details: unknown): number {
  return isObject(details) && typeof details['waitedMs'] === 'number' ? details['waitedMs'] : 0
}
