import type { RunHandle } from '../client/run-handle.js'
import { exitCodeOf } from './exit-codes.js'
import { printResult, stepPrinter } from './print-run.js'
import { json, line, styled, type Terminal } from './terminal.js'

/** Milliseconds that the steps may still take once the result is there. */
const STEPS_MS = 3_000

/**
 * Shows a run until it ends: its steps live, then the result.
 *
 * @returns the exit code of a run that completed
 */
export async function followRun(
  run: RunHandle,
  terminal: Terminal,
  options: { readonly json: boolean; readonly signal?: AbortSignal },
): Promise<number> {
  const startedAt = Date.now()
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])])
  const steps = options.json ? Promise.resolve() : printSteps(run, terminal, signal)
  try {
    const result = await run.result()
    // The steps come from the history, a moment later; the result must not wait for them for long.
    const timer = setTimeout(() => stop.abort(), STEPS_MS)
    await steps
    clearTimeout(timer)
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

/** Never rejects: the result tells what went wrong with a run. */
async function printSteps(run: RunHandle, { out }: Terminal, signal: AbortSignal): Promise<void> {
  const print = stepPrinter(out)
  try {
    for await (const step of run.watch({ signal })) print(step)
  } catch {
    if (!signal.aborted) line(out, styled(out, 'dim', '(the steps cannot be read at the moment)'))
  }
}
