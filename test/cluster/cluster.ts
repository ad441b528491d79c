import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LOOPBACK } from '../../src/server/ports.js'
import { readComposeFile } from '../kit/compose-file.js'
import { freePorts } from './free-ports.js'
import { startPostgres } from './postgres.js'
import { makeDatabases, makeNamespace } from './set-up.js'
import { buildTemporal, TEMPORAL_VERSION } from './temporal-build.js'
import { startTemporal, TEMPORAL_PORTS } from './temporal-server.js'

/** Where the parts of a running cluster are; JSON. */
export interface ClusterPlace {
  /** `host:port` of the Temporal server. */
  readonly address: string
  /** PostgreSQL as its superuser, without a database's name. */
  readonly postgresUrl: string
  /** The example's own database. */
  readonly shopUrl: string
  /** Files that hold the process ids. */
  readonly pidFiles: { readonly temporal: string; readonly postgres: string }
}

/** What the compose file describes, as processes of this machine. */
export interface Cluster extends ClusterPlace {
  /** The versions, in words. */
  readonly about: string
  /** Ends every process and removes the files. */
  stop(): Promise<void>
}

/** What {@link startCluster} takes. */
export interface ClusterOptions {
  /** Gets one line before each step. */
  readonly log: (line: string) => void
  /** Gives the start up: what was started is stopped, and the promise rejects. */
  readonly signal: AbortSignal
}

/** Starts PostgreSQL, then the server, each set up by the scripts of the compose file, in its order. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const undo: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    return { ...(await start(options, undo)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(
  { log, signal }: ClusterOptions,
  undo: (() => Promise<void>)[],
): Promise<Omit<Cluster, 'stop'>> {
  const environment = composeEnvironments()
  const build = await buildTemporal({ log, signal })
  const folder = await mkdtemp(join(tmpdir(), 'perdure-cluster-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const [postgresPort = 0, ...ports] = await freePorts(1 + TEMPORAL_PORTS.length)

  log('starting PostgreSQL…')
  const { POSTGRES_USER: user = '', POSTGRES_PASSWORD: password = '' } = environment.postgres
  const postgres = await startPostgres({ port: postgresPort, folder, user, password, signal })
  undo.push(postgres.remove, postgres.service.stop)
  log('making the databases…')
  const all = { ...environment.postgres, ...environment.schema }
  await makeDatabases({ build, postgres }, { environment: all, signal })

  log('starting the Temporal server…')
  const server = await startTemporal({
    ...{ build, ports, postgresPort, folder, signal },
    environment: environment.temporal,
  })
  undo.push(server.stop)
  const address = `${LOOPBACK}:${ports[0]}`
  log('making the namespace…')
  await makeNamespace(address, { environment: environment.namespace, signal }).catch((cause) => {
    throw new Error(`The Temporal server has no namespace. Its log ends:\n${server.tail()}`, {
      cause,
    })
  })
  const at = `${LOOPBACK}:${postgresPort}`
  return {
    address,
    postgresUrl: `postgres://${user}:${password}@${at}`,
    shopUrl: `postgres://shop:${environment.postgres['SHOP_PASSWORD']}@${at}/shop`,
    pidFiles: { temporal: server.pidFile, postgres: postgres.service.pidFile },
    about: `Temporal ${TEMPORAL_VERSION} on ${postgres.version}`,
  }
}

/** The variables of the compose file, by service. */
function composeEnvironments() {
  const { services } = readComposeFile()
  const of = (name: string) => services[name]?.environment ?? {}
  return {
    postgres: of('postgres'),
    schema: of('schema'),
    temporal: of('temporal'),
    namespace: of('namespace'),
  }
}
