import type { Terminal } from './terminal.js'

/**
 * Ends the process with its exit code, once everything is written. What a user's module holds open (a
 * database pool, a timer) must not keep a command alive that is done.
 */
export async function exitWhenWritten({ out, err }: Terminal): Promise<never> {
  const written = [out, err].map(
    (stream) =>
      new Promise<void>((resolve) => {
        stream.write('', () => resolve())
      }),
  )
  await Promise.all(written)
  return process.exit()
}
