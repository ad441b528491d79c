import type { Info } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import { MockActivityEnvironment } from '@temporalio/testing'

/** One line of the worker's log. */
interface LogLine {
  readonly message: string
  readonly meta: Record<string, unknown>
}

/** One attempt at an activity, without a server. */
export interface Attempt {
  readonly env: MockActivityEnvironment
  /** What the activity logged. */
  readonly logged: readonly LogLine[]
  run<I, R>(activity: (input: I) => Promise<R>, input: I): Promise<R>
}

/** An attempt with a log of its own. */
export function attempt(info: Partial<Info> = {}, client?: Client): Attempt {
  const logged: LogLine[] = []
  const keep = (message: string, meta: Record<string, unknown> = {}) => {
    // The SDK logs the end of each attempt as well.
    if (meta['sdkComponent'] === 'activity') logged.push({ message, meta })
  }
  const logger = {
    log: (_level: string, message: string, meta?: Record<string, unknown>) => keep(message, meta),
    trace: () => {},
    debug: () => {},
    info: keep,
    warn: keep,
    error: keep,
  }
  const env = new MockActivityEnvironment(info, {
    logger,
    ...(client === undefined ? {} : { client }),
  })
  return {
    env,
    logged,
    run: <I, R>(activity: (input: I) => Promise<R>, input: I) =>
      env.run<[I], R, (input: I) => Promise<R>>(activity, input),
  }
}

/** What a promise rejects with; fails the test when it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  const settled = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('error' in settled) return settled.error
  throw new Error(`not rejected, but resolved with ${JSON.stringify(settled.value)}`)
}
