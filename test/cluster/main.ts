// npm run test:cluster: what docker-compose.yml describes as processes of this machine, and the tests on it.
// Not in CI: the server is compiled for minutes, once. Arguments go to vitest, such as -t PostgreSQL.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { listenForInterrupt } from '../../src/cli/interrupt.js'
import { guardExit } from '../../src/server/child-guard.js'
import { type ClusterPlace, startCluster } from './cluster.js'
import { CLUSTER_VARIABLE } from './place-variable.js'

async function main(): Promise<number> {
  const interrupt = listenForInterrupt()
  const started = performance.now()
  const log = (line: string) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    process.stderr.write(`cluster ${seconds.padStart(5)} s  ${line}\n`)
  }
  try {
    const { about, stop, ...place } = await startCluster({ log, signal: interrupt.signal })
    try {
      log(`ready: ${about}, at ${place.address}`)
      return await runTests(place, interrupt.signal)
    } finally {
      await stop()
      log('stopped')
    }
  } catch (error) {
    if (interrupt.signal.aborted) return await interrupt.code
    log(`error: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  } finally {
    interrupt.stop()
  }
}

/** Resolves with vitest's exit code. Told to end, it ends at once, and with it the workers of its tests. */
function runTests(place: ClusterPlace, signal: AbortSignal): Promise<number> {
  const vitest = dirname(createRequire(import.meta.url).resolve('vitest/package.json'))
  const args = ['run', '--config', 'vitest.cluster.config.ts', ...process.argv.slice(2)]
  const child = spawn(process.execPath, [join(vitest, 'vitest.mjs'), ...args], {
    env: { ...process.env, [CLUSTER_VARIABLE]: JSON.stringify(place) },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A group of its own: what it started goes with it.
    detached: true,
  })
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  const release = guardExit(kill)
  signal.addEventListener('abort', kill, { once: true })
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => {
      release()
      if (signal.aborted) reject(signal.reason)
      else resolve(code ?? 1)
    })
  })
}

process.exitCode = await main()
