import { type ChildProcess, spawn } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../config.js'
import { WorkerProcessError } from './worker-process-error.js'

/** Milliseconds after which a worker that was told to stop is killed: more than its grace time. */
const STOP_MS = 10_000
/** Milliseconds that a worker may take until it polls: it builds the workflow bundle. */
const READY_MS = 90_000
/** Characters of its output that are kept for the error message. */
const TAIL_CHARS = 4_000

/** What a worker process needs. */
export interface WorkerProcessOptions {
  /** Path of the module that exports the agents. */
  readonly agents: string
  readonly taskQueue: string
  /** Further arguments of `perdure worker`. */
  readonly args: readonly string[]
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>
  /** Where what it logs goes. @default dropped */
  readonly log?: NodeJS.WritableStream
}

/** A worker in a process of its own. */
export interface WorkerProcess {
  readonly pid: number
  /** Resolves when the process has ended. */
  readonly exited: Promise<void>
  /** Asks it to end, and kills it after 10 s; resolves when it is gone. */
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
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-TAIL_CHARS)
    options.log?.write(text)
  })
  const exited = new Promise<void>((resolve) => {
    // Not 'close': that waits for whoever else holds its output, and does not come after a disconnect.
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new WorkerProcessError('was not ready in time', said))
    }, READY_MS)
    child.once('message', () => {
      clearTimeout(timer)
      resolve()
    })
    child.once('error', reject)
    // 'close' comes after the last of its output, 'exit' may come before.
    child.once('close', (code) => {
      clearTimeout(timer)
      reject(new WorkerProcessError(`ended with code ${code ?? 'none'} before it was ready`, said))
    })
  })
  return { pid: child.pid ?? 0, exited, stop: () => stop(child, exited) }
}

function spawnWorker({ agents, taskQueue, args, env }: WorkerProcessOptions): ChildProcess {
  // The CLI beside this file: TypeScript under tsx, JavaScript in dist.
  const cli = fileURLToPath(new URL(`../cli${extname(import.meta.url)}`, import.meta.url))
  const what = ['worker', '--agents', agents, '--task-queue', taskQueue, ...args]
  // Quick recovery costs nothing on a server of one's own, and nobody wants to wait after Ctrl-C.
  const quick = ['--heartbeat-timeout', '2s', '--sticky-timeout', '1s', '--grace-time', '2s']
  return spawn(process.execPath, [...process.execArgv, cli, ...what, ...quick], {
    env: childEnvironment(env),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A group of its own: Ctrl-C reaches this process alone, which then stops the others in order.
    detached: true,
    windowsHide: true,
  })
}

/** The end of the channel is what tells the worker to stop, on every platform. */
async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  if (child.connected) child.disconnect()
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await exited
  clearTimeout(timer)
}
