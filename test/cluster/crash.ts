import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'

/** Milliseconds in which a program that died must run again. */
const RESTART_MS = 60_000

/** Sends a signal to the process of a service and waits until another one has taken its place. */
export async function crash(pidFile: string, signal: NodeJS.Signals): Promise<void> {
  const pid = await pidOf(pidFile)
  process.kill(pid, signal)
  await expect.poll(() => pidOf(pidFile), { timeout: RESTART_MS }).not.toBe(pid)
}

async function pidOf(pidFile: string): Promise<number> {
  return Number(await readFile(pidFile, 'utf8'))
}
