import { createInterface } from 'node:readline/promises'
import type { Terminal } from './terminal.js'
import { UsageError } from './usage-error.js'

/** True where a person can be asked. */
export function canAsk({ err }: Terminal): boolean {
  return process.stdin.isTTY && err.isTTY
}

/**
 * Asks a person for a yes.
 *
 * @throws UsageError where nobody can answer
 */
export async function confirm(question: string, terminal: Terminal): Promise<boolean> {
  if (!canAsk(terminal)) {
    throw new UsageError(
      'Nobody can be asked here, so nothing was done: add --yes to agree beforehand.',
    )
  }
  const lines = createInterface({ input: process.stdin, output: terminal.err })
  try {
    // Ctrl-D is a no.
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    const answer = await Promise.race([lines.question(`${question} [y/N] `), closed])
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
