import { DefaultLogger, type LogLevel, Runtime } from '@temporalio/worker'

/** Lets Temporal log from a level on, unless the user's own module has decided already. */
export function logFrom(level: LogLevel): void {
  try {
    Runtime.install({ logger: new DefaultLogger(level) })
  } catch {
    // A runtime is there: one a process is all that the SDK allows, and theirs came first.
  }
}

/** Lets Temporal log nothing: a replay tells by itself what a worker would complain of. */
export function silenceTemporal(): void {
  try {
    Runtime.install({
      logger: new DefaultLogger('ERROR', () => {}),
      telemetryOptions: { logging: { forward: {}, filter: 'OFF' } },
    })
  } catch {
    // A runtime is there: one a process is all that the SDK allows, and theirs came first.
  }
}

/** Sends what modules and tools print to stderr, where it does not break a JSON document. */
export function consoleToStderr(): void {
  const { error } = console
  Object.assign(console, { log: error, info: error, debug: error })
}
