/** A signal that aborts when nothing was heard for too long. */
export interface IdleTimer {
  readonly signal: AbortSignal
  /** Whether it was this timer that aborted. */
  readonly expired: () => boolean
  /** Something was heard: the time begins anew. */
  alive(): void
  /** Ends the timer, and whatever still listens to the signal: a body that nobody reads to its end. */
  stop(): void
}

/** Starts a timer of `ms` milliseconds; its signal aborts with `parent` too. */
export function startIdleTimer(parent: AbortSignal, ms: number): IdleTimer {
  const idle = new AbortController()
  const timer = setTimeout(() => idle.abort(), ms)
  return {
    signal: AbortSignal.any([parent, idle.signal]),
    expired: () => idle.signal.aborted && !parent.aborted,
    alive: () => {
      timer.refresh()
    },
    stop: () => {
      clearTimeout(timer)
      idle.abort()
    },
  }
}
