import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Long enough that no install which still runs is taken for an abandoned one. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000

/** How {@link installFolder} fills a folder and knows a good one. */
export interface FolderInstall {
  /** The folder to end up with. */
  readonly target: string
  /** **Contract:** fills the given empty folder, or rejects with the reason. */
  readonly fill: (folder: string) => Promise<void>
  /** **Contract:** rejects when the folder does not hold a working install. */
  readonly check: (folder: string) => Promise<unknown>
}

/**
 * Fills a temporary sibling of the target and renames it once it works. So an interrupted install
 * is never taken for a good one, and of two processes doing it at once both end with a good folder.
 *
 * @throws whatever `fill` or `check` rejects with; the target is then as it was before
 */
export async function installFolder(install: FolderInstall): Promise<void> {
  await mkdir(dirname(install.target), { recursive: true })
  await removeAbandoned(install.target)
  const temporary = await mkdtemp(`${install.target}.tmp-`)
  try {
    await install.fill(temporary)
    await install.check(temporary)
    await putInPlace(temporary, install)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

async function putInPlace(temporary: string, install: FolderInstall): Promise<void> {
  try {
    await rename(temporary, install.target)
  } catch (error) {
    if (await isGood(install)) return
    const old = `${temporary}-old`
    await rename(install.target, old).catch(() => {
      throw error
    })
    await rename(temporary, install.target)
    await rm(old, { recursive: true, force: true })
  }
}

async function isGood(install: FolderInstall): Promise<boolean> {
  return await install.check(install.target).then(
    () => true,
    () => false,
  )
}

async function removeAbandoned(target: string): Promise<void> {
  const parent = dirname(target)
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${basename(target)}.tmp-`)) continue
    const folder = join(parent, name)
    const age = await stat(folder).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    if (age > ABANDONED_AFTER_MS) await rm(folder, { recursive: true, force: true })
  }
}
