import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TestContext } from 'vitest'
import { startProcess, type TestProcess } from './processes.js'
import { installFromPyPI, orSkip, type PythonPackages } from './python-packages.js'

const FILE = fileURLToPath(new URL('../../examples/python/requirements.txt', import.meta.url))

let installed: Promise<PythonPackages> | undefined

/** Has pip install Temporal's Python SDK, once; what goes wrong is told by {@link startPython}. */
export async function installTemporalPython(): Promise<void> {
  await install().catch(() => undefined)
}

/** Starts a Python program that has Temporal's SDK, installed into `.perdure` when it is not there. */
export async function startPython(
  context: TestContext,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<TestProcess> {
  const { python, env } = await orSkip(context, 'temporalio', install())
  return startProcess(python, args, { env: { ...env, ...settings } })
}

/** What the example says that it needs, in a folder that is named for it. */
function install(): Promise<PythonPackages> {
  installed ??= installFromPyPI({
    folder: `python-${readFileSync(FILE, 'utf8').trim()}`,
    packages: ['--requirement', FILE],
    imports: 'temporalio.client, temporalio.worker',
  })
  return installed
}
