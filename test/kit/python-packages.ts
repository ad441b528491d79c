import { resolve } from 'node:path'
import type { TestContext } from 'vitest'
import { environmentVariable, serverConfig } from '../../src/config.js'
import { runCommand } from '../../src/server/command.js'
import { installFolder } from '../../src/server/install-folder.js'

/** Milliseconds that an install may take: pip with each of two Pythons. */
export const INSTALL_TIMEOUT_MS = 10 * 60_000
const PIP_TIMEOUT_MS = 5 * 60_000
const CHECK_TIMEOUT_MS = 60_000

/** Packages of PyPI in a folder, and the Python that has them. */
export interface PythonPackages {
  readonly python: string
  /** For a process of that Python. */
  readonly env: Readonly<Record<string, string>>
}

/** What {@link installFromPyPI} installs, and how it knows that it works. */
export interface PackageList {
  /** The folder below `.perdure`. */
  readonly folder: string
  /** pip's arguments: requirements, or files of them. */
  readonly packages: readonly string[]
  /** Modules that must be there, by comma. */
  readonly imports: string
}

/** Installs packages by pip into `.perdure`, beside the Temporal server's wheel and as safe from being cut off. */
export async function installFromPyPI(list: PackageList): Promise<PythonPackages> {
  const target = resolve(serverConfig().dir, list.folder)
  const code = `import sys; sys.path.insert(0, sys.argv[1]); import ${list.imports}`
  const reasons: string[] = []
  for (const python of ['python3', 'python']) {
    const check = (folder: string) => runCommand(python, ['-c', code, folder], CHECK_TIMEOUT_MS)
    const fill = async (folder: string) => {
      const quiet = ['--disable-pip-version-check', '--no-input', '--quiet']
      const what = ['--only-binary', ':all:', '--target', folder, ...list.packages]
      await runCommand(python, ['-m', 'pip', 'install', ...quiet, ...what], PIP_TIMEOUT_MS)
    }
    try {
      await check(target).catch(() => installFolder({ target, fill, check }))
      return { python, env: { PYTHONPATH: target, PYTHONDONTWRITEBYTECODE: '1' } }
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(reasons.join('; '))
}

/** Skips the test, saying why, where the packages cannot be had; in CI that is a failure. */
export async function orSkip<T>(
  context: TestContext,
  name: string,
  install: Promise<T>,
): Promise<T> {
  return await install.catch((error: unknown) => {
    if (environmentVariable('CI') !== undefined) throw error
    return context.skip(`PyPI's ${name} cannot be had: ${String(error)}`)
  })
}
