import { closeSync, openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tryLock } from 'fs-native-extensions'

/** How long {@link lockFolder} waits for another process, in milliseconds. */
export interface LockPatience {
  /** @default 1000 */
  readonly noticeAfterMs?: number
  /** @default 15000 */
  readonly giveUpAfterMs?: number
}

/**
 * Takes the folder for this process and resolves with the function that gives it back. The lock is the
 * operating system's, on an open file beside the folder: it ends with the process, even by kill -9, so
 * there is no stale lock to clean up. The file itself stays; removing it would let two processes lock
 * two files of the same name.
 *
 * @throws Error when another process still holds it after `giveUpAfterMs`
 */
export async function lockFolder(dir: string, patience: LockPatience = {}): Promise<() => void> {
  const { noticeAfterMs = 1_000, giveUpAfterMs = 15_000 } = patience
  await mkdir(dirname(dir), { recursive: true })
  // A plain descriptor, not a FileHandle: garbage collection would close that one, and the lock with it.
  const file = openSync(`${dir}.lock`, 'a+')
  try {
    // Polling, not waitForLock: that one blocks a thread of the pool and cannot be given up.
    const started = performance.now()
    let noticed = false
    while (!tryLock(file)) {
      const waited = performance.now() - started
      if (waited >= giveUpAfterMs) throw new Error(busy(dir))
      if (waited >= noticeAfterMs && !noticed) {
        process.stderr.write(`another process has the embedded database open (${dir}), waiting…\n`)
        noticed = true
      }
      await sleep(50)
    }
    return () => closeSync(file)
  } catch (error) {
    closeSync(file)
    throw error
  }
}

function busy(dir: string): string {
  return `Another process has the embedded database open: ${dir}. It takes one process at a time. Stop the other one, or set DATABASE_URL to a PostgreSQL server that both can use.`
}
