import { execFile } from 'node:child_process'

const MAX_OUTPUT_BYTES = 10 * 1024 * 1024

/**
 * Runs a program to its end and resolves to its stdout.
 *
 * @param timeoutMs the program is killed after this many milliseconds
 * @throws Error with a one-line reason: not installed, timed out, or the last line of stderr
 */
export function runCommand(
  file: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<string> {
  const options = {
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
    windowsHide: true,
  } as const
  return new Promise((resolve, reject) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(reasonOf(file, error, { stderr, timeoutMs }), { cause: error }))
    })
  })
}

function reasonOf(
  file: string,
  error: Error & { readonly code?: unknown; readonly killed?: boolean },
  run: { readonly stderr: string; readonly timeoutMs: number },
): string {
  if (error.code === 'ENOENT') return `${file} is not installed`
  if (error.killed === true) return `${file} did not finish within ${run.timeoutMs / 1000} s`
  return `${file} failed (${String(error.code ?? 'killed')}): ${lastError(run.stderr)}`
}

/** pip puts notices after its error, so a line that says "error" is worth more than the last. */
function lastError(stderr: string): string {
  const lines = stderr.split(/\r?\n/).filter((line) => line.trim() !== '')
  const named = lines.filter((line) => /error/i.test(line))
  return (named.at(-1) ?? lines.at(-1) ?? 'no message').trim().slice(0, 300)
}
