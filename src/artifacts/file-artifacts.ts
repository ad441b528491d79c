import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ArtifactStore } from '../activities/artifact-store.js'
import { artifactName } from './artifact-name.js'

/** Options of {@link fileArtifacts}. */
export interface FileArtifactsOptions {
  /** The folder, made when it is not there. perdure removes nothing from it. */
  readonly dir: string
}

/**
 * An artifact store in a folder. It serves **one machine only**: a worker on another one does not find what
 * was kept here, and the model is then told that nothing is kept. Use `s3Artifacts` for more machines.
 *
 * One file a text, `<key>.artifact` with `~` for `/`, UTF-8, readable by its owner alone (0600), and never
 * seen half written. The worker is not made when the folder cannot be written.
 */
export function fileArtifacts(options: FileArtifactsOptions): ArtifactStore {
  const dir = resolve(options.dir)
  const pathOf = (key: string) => join(dir, `${artifactName(key, '~')}.artifact`)
  const makeFolder = () => mkdir(dir, { recursive: true, mode: 0o700 })
  return {
    open: async (warn) => {
      await makeFolder()
      await access(dir, constants.R_OK | constants.W_OK)
      warn(
        `Artifacts are kept in ${dir}, for workers of this machine only. Use s3Artifacts when workers run on more than one.`,
      )
    },
    put: async (key, text, signal) => {
      const path = pathOf(key)
      const temporary = `${path}.${randomUUID()}.tmp`
      await makeFolder()
      try {
        await writeFile(temporary, text, { mode: 0o600, flush: true, signal })
        await rename(temporary, path)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },
    get: async (key, signal) => {
      try {
        return await readFile(pathOf(key), { encoding: 'utf8', signal })
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
