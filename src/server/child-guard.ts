const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The ends of the servers that run; one set of listeners serves them all. */
const live = new Set<() => void>()

/**
 * Has `end` called when this process exits, or dies of a signal that nobody else listens for
 * (such a death has no 'exit' event). Where others listen, they decide, and stop in their order.
 *
 * **Contract:** `end` is synchronous and does not throw.
 * @returns takes the guard away again
 */
export function guardExit(end: () => void): () => void {
  if (live.size === 0) install()
  live.add(end)
  return () => {
    if (live.delete(end) && live.size === 0) uninstall()
  }
}

function install(): void {
  process.once('exit', endAll)
  for (const signal of SIGNALS) process.on(signal, onSignal)
}

function uninstall(): void {
  process.removeListener('exit', endAll)
  for (const signal of SIGNALS) process.removeListener(signal, onSignal)
}

function endAll(): void {
  for (const end of live) end()
  live.clear()
}

function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  endAll()
  uninstall()
  process.kill(process.pid, signal)
}
