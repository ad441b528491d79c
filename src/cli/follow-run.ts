import type { RunHandle } from '../client/run-handle.js'
import { exitCodeOf } from './exit-codes.js'
import { printResult, stepPrinter } from './print-run.js'
import { json, line, styled, type Terminal } from './terminal.js'

/**
 * Shows a run until it ends: its steps live, then the result.
 *
 * @returns the exit code of a run that completed
 */
export async function followRun(
  run: RunHandle,
  terminal: Terminal,
  options: { readonly json: boolean },
): Promise<number> {
  const startedAt = Date.now()
  const stop = new AbortController()
  const steps = options.json ? Promise.resolve() : printSteps(run, terminal, stop.signal)
  try {
    const result = await run.result()
    await steps
    if (options.json) json(terminal.out, { ...result, id: run.id, url: run.url })
    else printResult(terminal.out, result, (Date.now() - startedAt) / 1000)
    return exitCodeOf(result.stopReason)
  } finally {
    stop.abort()
    if (!options.json && run.url !== undefined) {
      line(terminal.out, styled(terminal.out, 'dim', run.url))
    }
  }
}

async function printSteps(run: RunHandle, { out }: Terminal, signal: AbortSignal): Promise<void> {
  const print = stepPrinter(out)
  for await (const step of run.watch({ signal })) print(step)
}
