import { DefaultLogger, type LogEntry, Runtime } from '@temporalio/worker'

let installed = false
const listeners = new Set<(entry: LogEntry) => void>()

/**
 * Keeps the SDK's logs out of the test output: many tests make tools and workflow tasks fail on purpose.
 * `PERDURE_TEST_LOG=1` brings them back.
 */
export function installQuietRuntime(): void {
  if (installed) return
  installed = true
  if (process.env['PERDURE_TEST_LOG'] === '1') return
  const logger = new DefaultLogger('DEBUG', (entry) => {
    for (const listen of listeners) listen(entry)
  })
  Runtime.install({ logger, telemetryOptions: { logging: { forward: {}, filter: 'OFF' } } })
}

/** The worker's log from now on, for tests of what it holds. */
export function captureLog(): readonly LogEntry[] {
  const entries: LogEntry[] = []
  listeners.add((entry) => entries.push(entry))
  return entries
}
