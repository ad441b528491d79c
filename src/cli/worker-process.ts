import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../config.js'
import { WorkerProcessError } from './worker-process-error.js'

/** Milliseconds after SIGTERM until the process is killed: more than a worker's grace time. */
const STOP_MS = 15_000
/** Characters of its output that are kept for the error message. */
const TAIL_CHARS = 4_000

/** What a worker process needs. */
export interface WorkerProcessOptions {
  /** Path of the module that exports the agents. */
  readonly agents: string
  readonly taskQueue: string
  /** Added to the environment of this process: where server and model are. */
  readonly env: Readonly<Record<string, string>>
  /** File descriptor or stream for what the worker logs once it is ready. @default dropped */
  readonly log?: NodeJS.WritableStream
}

/** A worker in a process of its own. */
export interface WorkerProcess {
  readonly pid: number
  /** Resolves when the process has ended. */
  readonly exited: Promise<void>
  /** SIGTERM, and SIGKILL after 15 s; resolves when it is gone. */
  stop(): Promise<void>
}

/**
 * Starts `perdure worker` in a process of its own and waits until it polls. It ends with this process,
 * even if this one is killed.
 *
 * @throws WorkerProcessError with what the process said, when it ends before it is ready
 */
export async function startWorkerProcess(options: WorkerProcessOptions): Promise<WorkerProcess> {
  const child = spawnWorker(options)
  const exited = once(child, 'exit').then(() => {})
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-TAIL_CHARS)
    options.log?.write(text)
  })
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('error', reject)
    // 'close' comes after the last of its output, 'exit' may not.
    child.once('close', (code) => reject(new WorkerProcessError(code, said)))
  })
  return { pid: child.pid ?? 0, exited, stop: () => stop(child, exited) }
}

function spawnWorker({ agents, taskQueue, env }: WorkerProcessOptions): ChildProcess {
  // The CLI beside this file: TypeScript under tsx, JavaScript in dist.
  const cli = fileURLToPath(new URL(`../cli${extname(import.meta.url)}`, import.meta.url))
  const args = ['worker', '--agents', agents, '--task-queue', taskQueue]
  // Quick recovery costs nothing on a server of one's own.
  const quick = ['--heartbeat-timeout', '2s', '--sticky-timeout', '1s']
  return spawn(process.execPath, [...process.execArgv, cli, ...args, ...quick], {
    env: childEnvironment(env),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A group of its own: Ctrl-C reaches this process alone, which then stops the others in order.
    detached: true,
  })
}

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await exited
  clearTimeout(timer)
}
