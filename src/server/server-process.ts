import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonValue } from '../contract/json.js'
import { DevServerError } from './dev-server-error.js'
import { LOOPBACK } from './ports.js'
import { readyClusterId } from './server-health.js'
import { TUNING } from './tuning.js'

const READY_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 5000
const POLL_MS = 50
const TAIL_CHARS = 2000

/** One `temporal server start-dev`. */
export interface ServerPlan {
  readonly binary: string
  readonly port: number
  /** `undefined` = no UI. */
  readonly uiPort: number | undefined
  /** `undefined` = in memory. */
  readonly dbFile: string | undefined
  readonly searchAttributes: Readonly<Record<string, string>>
  readonly dynamicConfig: Readonly<Record<string, JsonValue>>
}

/** A spawned server. */
export interface ServerProcess {
  readonly pid: number
  /** Whether it has exited. */
  readonly exited: () => boolean
  /** The end of its stderr, at most 2,000 characters. */
  readonly stderrTail: () => string
  /** SIGTERM, then SIGKILL after 5 s; resolves once it is gone. */
  readonly stop: () => Promise<void>
  /** SIGKILL; resolves once it is gone. */
  readonly kill: () => Promise<void>
  /** SIGKILL without waiting, for exit hooks. */
  readonly killNow: () => void
}

/** The arguments, with the settings that perdure tunes every dev server with. */
export function serverArguments(plan: ServerPlan): readonly string[] {
  const args = ['server', 'start-dev', '--ip', LOOPBACK, '--port', String(plan.port)]
  args.push(...(plan.uiPort === undefined ? ['--headless'] : ['--ui-port', String(plan.uiPort)]))
  if (plan.dbFile !== undefined) args.push('--db-filename', plan.dbFile)
  for (const [key, value] of Object.entries({ ...TUNING, ...plan.dynamicConfig })) {
    args.push('--dynamic-config-value', `${key}=${JSON.stringify(value)}`)
  }
  for (const [name, type] of Object.entries(plan.searchAttributes)) {
    args.push('--search-attribute', `${name}=${type}`)
  }
  return [...args, '--log-level', 'error']
}

/**
 * Spawns the server in a process group of its own (Ctrl-C reaches us, not it), with stderr in a
 * file: a pipe would break when we die, and the server with it at its next line.
 * The file is `<database>.log`, or a temporary one that goes with the server.
 *
 * @throws DevServerError when the program cannot be run
 */
export async function spawnServer(plan: ServerPlan): Promise<ServerProcess> {
  const logFile =
    plan.dbFile === undefined
      ? join(mkdtempSync(join(tmpdir(), 'perdure-')), 'server.log')
      : `${plan.dbFile}.log`
  const removeLog = () => {
    if (plan.dbFile === undefined) rmSync(dirname(logFile), { recursive: true, force: true })
  }
  const log = openSync(logFile, 'w')
  const child = spawn(plan.binary, serverArguments(plan), {
    detached: true,
    stdio: ['ignore', 'ignore', log],
    windowsHide: true,
  })
  closeSync(log)
  await once(child, 'spawn').catch((cause: unknown) => {
    removeLog()
    throw new DevServerError(`${plan.binary} cannot be run`, { cause })
  })
  child.unref()
  let tail = ''
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => {
      tail = readTail(logFile)
      removeLog()
      resolve()
    })
  })
  return {
    pid: child.pid ?? 0,
    exited: () => hasExited(child),
    stderrTail: () => (hasExited(child) ? tail : readTail(logFile)),
    stop: () => end(child, { gone, signal: 'SIGTERM' }),
    kill: () => end(child, { gone, signal: 'SIGKILL' }),
    killNow: () => {
      child.kill('SIGKILL')
      removeLog()
    },
  }
}

/**
 * Waits until the server answers with its namespace ready, for up to 30 s.
 *
 * @returns the id of its cluster
 * @throws DevServerError with the end of stderr when it exits first or never answers
 */
export async function waitUntilReady(server: ServerProcess, port: number): Promise<string> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadline) {
    if (server.exited()) {
      throw new DevServerError(
        `the Temporal dev server exited before it was ready: ${server.stderrTail()}`,
      )
    }
    const clusterId = await readyClusterId(`${LOOPBACK}:${port}`)
    if (clusterId !== undefined && !server.exited()) return clusterId
    await sleep(POLL_MS)
  }
  throw new DevServerError(
    `the Temporal dev server was not ready within ${READY_TIMEOUT_MS / 1000} s: ${server.stderrTail()}`,
  )
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function end(
  child: ChildProcess,
  how: { readonly gone: Promise<void>; readonly signal: NodeJS.Signals },
): Promise<void> {
  if (hasExited(child)) return
  // The child did not keep our event loop alive; it must while we wait for it.
  child.ref()
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  child.kill(how.signal)
  await how.gone
  clearTimeout(timer)
}

function readTail(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim().slice(-TAIL_CHARS)
  } catch {
    return ''
  }
}
