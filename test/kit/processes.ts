import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A process that a test started; killed at the end of the test if it still runs. */
export interface TestProcess {
  readonly pid: number
  readonly stdout: () => string
  readonly stderr: () => string
  /** The exit code; null after a signal. */
  readonly exited: Promise<number | null>
  signal(name: NodeJS.Signals): void
  /** Resolves once stdout and stderr together hold the text; rejects when the process ends before. */
  says(text: string): Promise<void>
}

/** Where and with what a test process runs. */
export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** Is given what ends the process. @default it ends with the test */
  readonly onEnd?: (end: () => Promise<void>) => void
}

/** Starts a command. */
export function startProcess(
  file: string,
  args: readonly string[],
  { env = {}, cwd = ROOT, onEnd = onTestFinished }: ProcessOptions = {},
): TestProcess {
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  onEnd(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exited,
    signal: (name) => {
      child.kill(name)
    },
    says: (text) => says(child, output, text),
  }
}

/** Starts the CLI from its TypeScript source, in one process. */
export function startCli(args: readonly string[], options?: ProcessOptions): TestProcess {
  const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
  return startProcess(process.execPath, ['--import', 'tsx', cli, ...args], options)
}

function says(
  child: ChildProcess,
  output: { stdout: string; stderr: string },
  text: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if ((output.stdout + output.stderr).includes(text)) resolve()
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.once('close', () => {
      reject(new Error(`ended without saying "${text}":\n${output.stdout}\n${output.stderr}`))
    })
    look()
  })
}
