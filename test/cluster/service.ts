import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { guardExit } from '../../src/server/child-guard.js'
import type { RunOptions } from './run.js'

/** A program that is started again whenever it ends, as compose's `restart: unless-stopped` does. */
export interface Service {
  /** Holds the id of the process that runs now. */
  readonly pidFile: string
  /** The end of what it said. */
  readonly tail: () => string
  /** Ends it for good; resolves once the process is gone. */
  stop(): Promise<void>
}

/** What a service is. */
export interface ServiceOptions extends RunOptions {
  readonly name: string
  readonly file: string
  readonly args: readonly string[]
  /** Where its log and its process id are written. */
  readonly folder: string
  /** What ends it at once and in order. */
  readonly endSignal: NodeJS.Signals
}

/** Milliseconds after which a service that has ended is started again. */
const RESTART_MS = 200
const STOP_MS = 10_000
const TAIL_CHARS = 3_000

/** Starts a service; it ends with this process at the latest. */
export function startService(options: ServiceOptions): Service {
  const { name, folder, endSignal } = options
  const pidFile = join(folder, `${name}.pid`)
  const logFile = join(folder, `${name}.log`)
  let stopped = false
  let running = launch(options, logFile)
  writePid()
  const release = guardExit(() => {
    stopped = true
    running.child.kill(endSignal)
  })
  const kept = keep()

  async function keep(): Promise<void> {
    for (;;) {
      await running.gone
      if (stopped) return
      await sleep(RESTART_MS)
      if (stopped) return
      running = launch(options, logFile)
      writePid()
    }
  }

  function writePid(): void {
    writeFileSync(pidFile, String(running.child.pid ?? 0))
  }

  return {
    pidFile,
    tail: () => readFileSync(logFile, 'utf8').trim().slice(-TAIL_CHARS),
    stop: async () => {
      stopped = true
      running.child.kill(endSignal)
      const timer = setTimeout(() => running.child.kill('SIGKILL'), STOP_MS)
      await kept
      clearTimeout(timer)
      release()
    },
  }
}

interface Running {
  readonly child: ChildProcess
  readonly gone: Promise<void>
}

function launch({ file, args, env, cwd, as }: ServiceOptions, logFile: string): Running {
  const log = openSync(logFile, 'a')
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
    // A group of its own: Ctrl-C reaches this process alone, which then ends the others in order.
    detached: true,
    ...as,
  })
  closeSync(log)
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    // It could not be started: its log says nothing, and whoever waits for it says so.
    child.once('error', () => resolve())
  })
  return { child, gone }
}
