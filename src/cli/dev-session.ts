import { join } from 'node:path'
import { AgentClient } from '../client/agent-client.js'
import { serverConfig, taskQueueConfig } from '../config.js'
import type { JsonObject } from '../contract/json.js'
import { DEFAULT_TASK_QUEUE } from '../contract/names.js'
import type { Agent } from '../definition/define-agent.js'
import { type DevServer, startDevServer } from '../server/dev-server.js'
import { followRun } from './follow-run.js'
import { listenForInterrupt } from './interrupt.js'
import { loadAgents } from './load-agents.js'
import { line, styled, type Terminal } from './terminal.js'
import { startWorkerProcess } from './worker-process.js'

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

/** What runs while a session does. */
interface Session {
  readonly options: DevSessionOptions
  /** Aborted when the session is told to end. */
  readonly signal: AbortSignal
  /** What has to be stopped at the end, the last first. */
  readonly cleanup: (() => Promise<void>)[]
  readonly say: (what: string, text: string) => void
  /** The exit code, once the work is done and the session only stays up. */
  code?: number
}

/**
 * Starts a Temporal server and a worker process, runs an agent if asked to, and stops what it started:
 * after the run, or at Ctrl-C.
 *
 * @returns the exit code: that of the run; 128 and the signal's number when it was ended before
 */
export async function devSession(options: DevSessionOptions): Promise<number> {
  const { err } = options.terminal
  const interrupt = listenForInterrupt()
  const session: Session = {
    options,
    signal: interrupt.signal,
    cleanup: [],
    say: (what, text) => line(err, `${styled(err, 'dim', what.padEnd(9))} ${text}`),
  }
  const work = hold(session)
  // Told to end, nobody waits for it any more.
  work.catch(() => {})
  try {
    return await Promise.race([work, interrupt.code.then((code) => session.code ?? code)])
  } finally {
    for (const stop of session.cleanup.reverse()) await stop()
    interrupt.stop()
  }
}

async function hold(session: Session): Promise<number> {
  const { options, say, cleanup, signal } = session
  // A module without agents is found before anything is started.
  const agents = await loadAgents(options.agents)
  const server = await startServer(say)
  cleanup.push(server.stop)
  const ui = server.uiUrl === null ? '' : ` · UI ${server.uiUrl}`
  say('temporal', `${server.source} · ${server.address}${ui}`)
  const worker = await startWorkerProcess({
    agents: options.agents,
    taskQueue: queueOf(options),
    args: isOwn(server) ? ['--no-environment', '--address', server.address] : [],
    env: { ...options.workerEnv },
    log: options.terminal.err,
  })
  cleanup.push(worker.stop)
  say('worker', `process ${worker.pid} · ${agents.map(({ name }) => name).join(', ')}`)
  const gone = worker.exited.then(() => {
    throw new Error('The worker process ended: what it logged is above.')
  })
  const code = await Promise.race([runOnce(session, { agents, server }), gone])
  if (options.once) return code
  session.code = code
  say('ready', 'Ctrl-C stops everything')
  await Promise.race([aborted(signal), gone])
  return code
}

async function runOnce(
  { options, signal }: Session,
  { agents, server }: { readonly agents: readonly Agent[]; readonly server: DevServer },
): Promise<number> {
  if (options.run === undefined) return 0
  const { agent, input, context } = options.run
  const client = await AgentClient.connect({
    ...(isOwn(server) ? { environment: false } : {}),
    address: server.address,
    taskQueue: queueOf(options),
    ...(server.uiUrl === null ? {} : { uiUrl: server.uiUrl }),
  })
  const known = agents.find(({ name }) => name === agent) ?? agent
  const run = await client.start(known, { input, ...(context === undefined ? {} : { context }) })
  line(options.terminal.err)
  const code = await followRun(run, options.terminal, { json: options.json === true, signal })
  // Not where the wait was given up: a call under way on a closed connection throws from a timer.
  await client.close()
  return code
}

/** Settings for another server (namespace, TLS, API key) must not be taken for those of our own. */
function isOwn({ kind }: DevServer): boolean {
  return kind !== 'external'
}

async function startServer(say: Session['say']): Promise<DevServer> {
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

function queueOf({ taskQueue }: DevSessionOptions): string {
  return taskQueue ?? taskQueueConfig() ?? DEFAULT_TASK_QUEUE
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
