import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** The file name of a program on this platform: `.exe` is added on Windows. */
export function executableName(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name
}

/** Whether `file` is a regular file that may be executed (on Windows: one that exists). */
export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}

/**
 * Every executable of that name on a PATH string, in PATH order.
 * Empty entries, which a shell reads as the current folder, are skipped.
 */
export async function lookupOnPath(name: string, path: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const folder of path.split(delimiter)) {
    if (folder === '') continue
    const file = join(folder, executableName(name))
    if (await isExecutable(file)) found.push(file)
  }
  return found
}
