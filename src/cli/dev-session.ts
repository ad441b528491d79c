import { join } from 'node:path'
import { AgentClient } from '../client/agent-client.js'
import { serverConfig, taskQueueConfig } from '../config.js'
import type { JsonObject } from '../contract/json.js'
import { DEFAULT_TASK_QUEUE } from '../contract/names.js'
import { type DevServer, startDevServer } from '../server/dev-server.js'
import { followRun } from './follow-run.js'
import { loadAgents } from './load-agents.js'
import { line, styled, type Terminal } from './terminal.js'
import { startWorkerProcess, type WorkerProcess } from './worker-process.js'

/** What `perdure dev` and `npm start` do. */
export interface DevSessionOptions {
  /** Path of the module that exports the agents. */
  readonly agents: string
  readonly taskQueue?: string | undefined
  /** A run to start when everything is up. @default none */
  readonly run?: {
    readonly agent: string
    readonly input: string
    readonly context?: JsonObject | undefined
  }
  /** True: ends after the run instead of staying up for the UI. @default false */
  readonly once: boolean
  readonly json?: boolean
  /** Environment of the worker besides that of this process, such as where the model is. @default none */
  readonly workerEnv?: Readonly<Record<string, string>>
  readonly terminal: Terminal
}

/**
 * Starts a Temporal server and a worker process, runs an agent if asked to, and stops what it started:
 * after the run, or at Ctrl-C.
 *
 * @returns the exit code
 */
export async function devSession(options: DevSessionOptions): Promise<number> {
  const { terminal } = options
  const say = (what: string, text: string) =>
    line(terminal.err, `${styled(terminal.err, 'dim', what.padEnd(9))} ${text}`)
  const ended = new AbortController()
  const onSignal = () => ended.abort()
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  const cleanup: (() => Promise<void>)[] = []
  try {
    // A module without agents is found before anything is started.
    const names = (await loadAgents(options.agents)).map(({ name }) => name).join(', ')
    const server = await startServer(say)
    cleanup.push(server.stop)
    const ui = server.uiUrl === null ? '' : ` · UI ${server.uiUrl}`
    say('temporal', `${server.source} · ${server.address}${ui}`)
    const worker = await startWorker(options, server)
    cleanup.push(worker.stop)
    say('worker', `process ${worker.pid} · ${names}`)
    return await work(options, { server, worker, ended: ended.signal, say })
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
    for (const stop of cleanup.reverse()) await stop()
  }
}

type Say = (what: string, text: string) => void

interface Parts {
  readonly server: DevServer
  readonly worker: WorkerProcess
  readonly ended: AbortSignal
  readonly say: Say
}

async function work(options: DevSessionOptions, parts: Parts): Promise<number> {
  const { ended, worker, say } = parts
  const end = aborted(ended)
  const code = await Promise.race([runOnce(options, parts), end.then(() => 0), gone(worker)])
  if (ended.aborted || options.once) return code
  say('ready', 'Ctrl-C stops everything')
  await Promise.race([end, gone(worker)])
  return code
}

async function runOnce(options: DevSessionOptions, { server }: Parts): Promise<number> {
  if (options.run === undefined) return 0
  const { agent, input, context } = options.run
  const client = await AgentClient.connect({
    address: server.address,
    taskQueue: queueOf(options),
    ...(server.uiUrl === null ? {} : { uiUrl: server.uiUrl }),
  })
  try {
    const agents = await loadAgents(options.agents)
    const known = agents.find(({ name }) => name === agent) ?? agent
    const run = await client.start(known, { input, ...(context === undefined ? {} : { context }) })
    line(options.terminal.err)
    return await followRun(run, options.terminal, { json: options.json === true })
  } finally {
    await client.close()
  }
}

async function startServer(say: Say): Promise<DevServer> {
  const { address, path, dir } = serverConfig()
  return await startDevServer({
    address,
    path,
    dir,
    dbFile: join(dir, 'temporal.db'),
    preferredPorts: true,
    log: (text) => say('temporal', text),
  })
}

async function startWorker(options: DevSessionOptions, server: DevServer): Promise<WorkerProcess> {
  return await startWorkerProcess({
    agents: options.agents,
    taskQueue: queueOf(options),
    env: { ...options.workerEnv, TEMPORAL_ADDRESS: server.address },
    log: options.terminal.err,
  })
}

function queueOf({ taskQueue }: DevSessionOptions): string {
  return taskQueue ?? taskQueueConfig() ?? DEFAULT_TASK_QUEUE
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function gone(worker: WorkerProcess): Promise<never> {
  await worker.exited
  throw new Error('The worker process ended: what it logged is above.')
}
