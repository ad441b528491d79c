import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Place, Usage, WorkerMessage } from './worker-host.js'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** Characters of a worker's output that are kept for the error message. */
const TAIL_CHARS = 4_000
/** Milliseconds after which a worker that was told to stop is killed. */
const STOP_MS = 15_000

/** The worker of one stack, in a process of its own. */
export interface WorkerProcess {
  /** CPU time and memory of that process. */
  usage(): Promise<Usage>
  /** Rejects, with what it said last, when the process ends. */
  readonly ended: Promise<never>
  /** Ends it; resolves when it is gone. */
  stop(): Promise<void>
}

/** Starts a worker process and waits until it polls. */
export async function startWorkerProcess(file: URL, place: Place): Promise<WorkerProcess> {
  const child = fork(file, [place.address, place.taskQueue], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-TAIL_CHARS)
    })
  }
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      reject(new Error(`the worker ${file.pathname} ended with code ${code}:\n${said}`))
    })
  })
  ended.catch(() => {})
  await Promise.race([answer(child), ended])
  return {
    ended,
    usage: async () => {
      const told = answer(child)
      child.send('usage')
      return (await Promise.race([told, ended])) as Usage
    },
    stop: () => stop(child),
  }
}

async function answer(child: ChildProcess): Promise<WorkerMessage> {
  const [message] = await once(child, 'message')
  return message as WorkerMessage
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  child.disconnect()
  await exited
  clearTimeout(timer)
}
