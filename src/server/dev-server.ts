import { resolve } from 'node:path'
import type { JsonValue } from '../contract/json.js'
import { SEARCH_ATTRIBUTES } from '../contract/names.js'
import { guardExit } from './child-guard.js'
import { DevServerError } from './dev-server-error.js'
import { type FindServerOptions, findServer } from './find-server.js'
import { freePorts, isListening, LOOPBACK } from './ports.js'
import {
  type ServerPlan,
  type ServerProcess,
  spawnServer,
  waitUntilReady,
} from './server-process.js'
import {
  claimDatabase,
  findRunning,
  type RunningServer,
  recordFile,
  releaseRecord,
  writeRecord,
} from './server-record.js'

const PREFERRED_PORTS = [7233, 8233] as const
const BIND_ATTEMPTS = 5
/** What Go's net package says of a taken port, on Unix and on Windows. */
const PORT_TAKEN = /address already in use|only one usage of each socket/i

/** How {@link startDevServer} finds and starts the server. */
export interface DevServerOptions extends Omit<FindServerOptions, 'effects'> {
  /** SQLite file that keeps the runs over restarts. @default none: in memory */
  readonly dbFile?: string | undefined
  /** @default a free one */
  readonly port?: number | undefined
  /** @default a free one */
  readonly uiPort?: number | undefined
  /** Takes 7233 and 8233 for the ports not given, each where it is free. @default false */
  readonly preferredPorts?: boolean | undefined
  /** Starts without the web UI. @default false */
  readonly headless?: boolean | undefined
  /** Search attributes to register, name → Temporal's type name. @default perdure's own */
  readonly searchAttributes?: Readonly<Record<string, string>> | undefined
  /** Further dynamic configuration of the server, key → value. @default none */
  readonly dynamicConfig?: Readonly<Record<string, JsonValue>> | undefined
}

/** A server to connect to. */
export interface DevServer {
  /**
   * `started`: by this call. `attached`: one that already has the database file open.
   * `external`: the address given, unchecked.
   */
  readonly kind: 'started' | 'attached' | 'external'
  /** `host:port` for gRPC. */
  readonly address: string
  /** `null` without a UI, and for an external server. */
  readonly uiUrl: string | null
  readonly namespace: 'default'
  /** Where the server came from, in words. */
  readonly source: string
  /** Whether this call started it; if not, `stop` and `kill` do nothing. */
  readonly started: boolean
  /** The server's process id; `undefined` for an external server. */
  readonly pid: number | undefined
  /** SIGTERM, SIGKILL after 5 s; resolves once the process is gone. May be called again. */
  readonly stop: () => Promise<void>
  /** SIGKILL, for crash tests; resolves once the process is gone. */
  readonly kill: () => Promise<void>
}

/**
 * Starts a Temporal dev server on loopback and waits until it is ready (30 s). With an `address`
 * it starts nothing; with a `dbFile` that a live dev server has open, it attaches to that one.
 *
 * The server ends with this process, but does not keep it alive. After a `kill -9` of this
 * process it stays, and the next call with the same `dbFile` attaches to it.
 *
 * @throws NoServerError when there is none to start
 * @throws DevServerError when it does not come up, with the end of its stderr
 */
export async function startDevServer(options: DevServerOptions = {}): Promise<DevServer> {
  const dbFile = options.dbFile === undefined ? undefined : resolve(options.dbFile)
  if (dbFile !== undefined && !options.address) {
    const running = await findRunning(dbFile)
    if (running !== undefined) return attached(running, dbFile)
  }
  const found = await findServer(options)
  if (found.kind === 'external') return external(found)
  const binary = { binary: found.path, source: found.source }
  if (dbFile === undefined) return await launch(options, { ...binary, dbFile })
  const running = await claimDatabase(dbFile)
  if (running !== undefined) return attached(running, dbFile)
  try {
    return await launch(options, { ...binary, dbFile })
  } catch (error) {
    releaseRecord(recordFile(dbFile))
    throw error
  }
}

interface Launch {
  readonly binary: string
  readonly source: string
  readonly dbFile: string | undefined
}

async function launch(options: DevServerOptions, what: Launch): Promise<DevServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launchOnce(await planServer(options, what), what.source)
    } catch (error) {
      if (attempt === BIND_ATTEMPTS || !isPortTaken(error)) throw error
    }
  }
}

async function launchOnce(plan: ServerPlan, source: string): Promise<DevServer> {
  // Else the server that has the port would answer for ours until ours has given up.
  if (await isListening(plan.port)) {
    throw new DevServerError(`port ${plan.port} cannot be used: address already in use`)
  }
  const server = await spawnServer(plan)
  const release = guardServer(server, plan.dbFile)
  try {
    await record(server, plan, null)
    const clusterId = await waitUntilReady(server, plan.port)
    await record(server, plan, clusterId)
    return startedServer(server, { plan, source, release })
  } catch (error) {
    await server.kill()
    release()
    throw error
  }
}

async function planServer(options: DevServerOptions, what: Launch): Promise<ServerPlan> {
  const [port, uiPort] = await freePorts(options.preferredPorts ? PREFERRED_PORTS : undefined)
  return {
    binary: what.binary,
    dbFile: what.dbFile,
    port: options.port ?? port,
    uiPort: options.headless ? undefined : (options.uiPort ?? uiPort),
    searchAttributes: options.searchAttributes ?? SEARCH_ATTRIBUTES,
    dynamicConfig: options.dynamicConfig ?? {},
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof DevServerError && PORT_TAKEN.test(error.message)
}

function guardServer(server: ServerProcess, dbFile: string | undefined): () => void {
  return guardExit(() => {
    server.killNow()
    if (dbFile !== undefined) releaseRecord(recordFile(dbFile), server.pid)
  })
}

async function record(
  server: ServerProcess,
  plan: ServerPlan,
  clusterId: string | null,
): Promise<void> {
  if (plan.dbFile === undefined) return
  const place = { address: `${LOOPBACK}:${plan.port}`, uiUrl: uiUrlOf(plan) }
  const owner = { starter: process.pid, pid: server.pid }
  await writeRecord(recordFile(plan.dbFile), { ...owner, ...place, clusterId })
}

function uiUrlOf({ uiPort }: ServerPlan): string | null {
  return uiPort === undefined ? null : `http://${LOOPBACK}:${uiPort}`
}

function startedServer(
  server: ServerProcess,
  about: { readonly plan: ServerPlan; readonly source: string; readonly release: () => void },
): DevServer {
  const { plan, source, release } = about
  const ending = (end: () => Promise<void>) => async () => {
    await end()
    release()
    if (plan.dbFile !== undefined) releaseRecord(recordFile(plan.dbFile), server.pid)
  }
  return {
    kind: 'started',
    address: `${LOOPBACK}:${plan.port}`,
    uiUrl: uiUrlOf(plan),
    namespace: 'default',
    source,
    started: true,
    pid: server.pid,
    stop: ending(server.stop),
    kill: ending(server.kill),
  }
}

function attached(running: RunningServer, dbFile: string): DevServer {
  return {
    kind: 'attached',
    ...running,
    namespace: 'default',
    source: `the dev server that has ${dbFile} open (process ${running.pid})`,
    started: false,
    stop: nothing,
    kill: nothing,
  }
}

function external(found: { readonly address: string; readonly source: string }): DevServer {
  return {
    kind: 'external',
    address: found.address,
    uiUrl: null,
    namespace: 'default',
    source: found.source,
    started: false,
    pid: undefined,
    stop: nothing,
    kill: nothing,
  }
}

async function nothing(): Promise<void> {}
