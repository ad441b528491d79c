import { ApplicationFailure, CancelledFailure, type Context } from '@temporalio/activity'

/** Beats in one heartbeat time-out, so that some may be lost and cancellation arrives soon. */
const BEATS = 4

/**
 * Runs `work` under a heartbeat, so that a dead worker is noticed within the heartbeat time-out and a
 * cancellation reaches the signal. Each beat tells `details` again, since it replaces what was told.
 */
export async function beating<T>(
  context: Context,
  details: () => unknown,
  work: () => Promise<T>,
): Promise<T> {
  const timeout = context.info.heartbeatTimeoutMs
  const timer = timeout && setInterval(() => context.heartbeat(details()), timeout / BEATS)
  try {
    return await work()
  } finally {
    clearInterval(timer || undefined)
  }
}

/**
 * Rethrows what an aborted attempt must end with: the cancellation, or, when only its worker stops, a
 * failure that lets another worker try.
 */
export function throwIfAborted(context: Context): void {
  const { cancellationSignal: signal } = context
  if (!signal.aborted) return
  const reason: unknown = signal.reason
  if (reason instanceof CancelledFailure && reason.message !== 'WORKER_SHUTDOWN') throw reason
  throw ApplicationFailure.retryable('The worker is shutting down.', 'WorkerShutdown')
}
