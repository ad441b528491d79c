import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { serverConfig } from '../../src/config.js'

/** A `.perdure` folder of the test's own, that has the server of this checkout already. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-fresh-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await symlink(resolve(serverConfig().dir, 'pip'), join(folder, 'pip'))
  return folder
}
