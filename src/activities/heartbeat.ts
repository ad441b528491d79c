import { ApplicationFailure, CancelledFailure, type Context } from '@temporalio/activity'
import { ApplicationFailureCategory } from '@temporalio/common'

/** Beats in one heartbeat time-out, so that some may be lost. */
const BEATS = 4
/** Milliseconds between two beats at most: a cancellation comes with the answer to one. */
const MAX_BEAT_MS = 1_500

/** How often a call beats whose heartbeat time-out is so long, in milliseconds. */
export function beatMs(heartbeatTimeoutMs: number): number {
  return Math.min(heartbeatTimeoutMs / BEATS, MAX_BEAT_MS)
}

/**
 * Runs `work` under a heartbeat, so that a dead worker is noticed within the heartbeat time-out and a
 * cancellation reaches the signal. Each beat tells `details` again, since it replaces what was told.
 *
 * Rejects as soon as the signal aborts: work that does not listen must hold up neither the end of the
 * worker nor the next attempt.
 */
export async function beating<T>(
  context: Context,
  details: () => unknown,
  work: () => Promise<T>,
): Promise<T> {
  const timeout = context.info.heartbeatTimeoutMs
  const timer = timeout && setInterval(() => context.heartbeat(details()), beatMs(timeout))
  try {
    return await untilAborted(context.cancellationSignal, work)
  } finally {
    clearInterval(timer || undefined)
  }
}

/** Runs `work`, and rejects as soon as the signal aborts, also when the work does not listen. */
export async function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const { promise, stop } = aborted(signal)
  try {
    return await Promise.race([work(), promise])
  } finally {
    stop()
  }
}

function aborted(signal: AbortSignal): { promise: Promise<never>; stop: () => void } {
  let onAbort = () => {}
  const promise = new Promise<never>((_, reject) => {
    // A turn later, so that work that does listen may end in its own words.
    onAbort = () => setImmediate(() => reject(signal.reason))
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', onAbort)
  })
  promise.catch(() => {})
  return { promise, stop: () => signal.removeEventListener('abort', onAbort) }
}

/** Whether an attempt was aborted only because its worker stops. */
export function isShutdown({ cancellationSignal: signal }: Context): boolean {
  if (!signal.aborted) return false
  const reason: unknown = signal.reason
  return !(reason instanceof CancelledFailure) || reason.message === 'WORKER_SHUTDOWN'
}

/**
 * Rethrows what an aborted attempt must end with: the cancellation, or, when only its worker stops, a
 * failure that lets another worker try, if `repeatable` says that it may.
 */
export function throwIfAborted(context: Context, repeatable: boolean): void {
  if (!context.cancellationSignal.aborted) return
  if (!isShutdown(context)) throw context.cancellationSignal.reason
  throw ApplicationFailure.create({
    type: 'WorkerShutdown',
    message: 'The worker is shutting down.',
    nonRetryable: !repeatable,
    // A deployment is no error: the SDK would log it with its stack.
    category: ApplicationFailureCategory.BENIGN,
  })
}
