import { existsSync } from 'node:fs'
import { chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LOOPBACK } from '../../src/server/ports.js'
import { run, type User } from './run.js'
import { type Service, startService } from './service.js'

/** Where Debian's packages put the servers, a folder for each major version. */
const PACKAGES = '/usr/lib/postgresql'
const READY_MS = 30_000

/** A running PostgreSQL with an empty cluster of its own. */
export interface Postgres {
  readonly service: Service
  /** The folder of its programs. */
  readonly bin: string
  readonly version: string
  readonly port: number
  /** Removes its files; after its service has stopped. */
  remove(): Promise<void>
}

/** What {@link startPostgres} takes. */
export interface PostgresOptions {
  readonly port: number
  /** Where its log is written. */
  readonly folder: string
  /** The superuser. */
  readonly user: string
  readonly password: string
  readonly signal: AbortSignal
}

/** Makes a cluster with Debian's PostgreSQL and starts it, as durable as it comes: fsync stays on. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { port, folder, signal } = options
  const bin = await findPostgres()
  const as = await postgresUser()
  const data = await mkdtemp(join(tmpdir(), 'perdure-postgres-'))
  const remove = () => rm(data, { recursive: true, force: true })
  try {
    await initialize(data, { ...options, bin, as })
    const listen = ['-h', LOOPBACK, '-p', String(port), '-c', 'unix_socket_directories=']
    const service = startService({
      name: 'postgres',
      file: join(bin, 'postgres'),
      args: ['-D', join(data, 'cluster'), ...listen],
      folder,
      endSignal: 'SIGQUIT',
      cwd: data,
      as,
    })
    await waitUntilReady({ bin, port, service, signal })
    const version = (await run(join(bin, 'postgres'), ['--version'])).trim()
    return { service, bin, version, port, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function findPostgres(): Promise<string> {
  const versions = await readdir(PACKAGES).catch(() => [])
  const bins = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(PACKAGES, version, 'bin'))
  const bin = bins.find((folder) => existsSync(join(folder, 'initdb')))
  if (bin !== undefined) return bin
  throw new Error(`PostgreSQL is missing in ${PACKAGES}: apt-get install postgresql`)
}

/** PostgreSQL refuses to run as root; its package brings a user. */
async function postgresUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const id = async (flag: string) => Number(await run('id', [flag, 'postgres']))
  return { uid: await id('-u'), gid: await id('-g') }
}

interface NewCluster extends PostgresOptions {
  readonly bin: string
  readonly as: User | undefined
}

async function initialize(
  data: string,
  { bin, as, user, password, signal }: NewCluster,
): Promise<void> {
  const secret = join(data, 'password')
  await writeFile(secret, password, { mode: 0o600 })
  if (as !== undefined) {
    await chown(data, as.uid, as.gid)
    await chown(secret, as.uid, as.gid)
  }
  const cluster = ['--pgdata', join(data, 'cluster'), '--username', user, '--pwfile', secret]
  await run(join(bin, 'initdb'), [...cluster, '--auth', 'scram-sha-256'], {
    as,
    cwd: data,
    signal,
  })
  await rm(secret)
}

async function waitUntilReady(started: {
  readonly bin: string
  readonly port: number
  readonly service: Service
  readonly signal: AbortSignal
}): Promise<void> {
  const { bin, port, service, signal } = started
  const deadline = Date.now() + READY_MS
  const ready = () => run(join(bin, 'pg_isready'), ['--host', LOOPBACK, '--port', String(port)])
  while (Date.now() < deadline && !signal.aborted) {
    const answers = await ready().then(
      () => true,
      () => false,
    )
    if (answers) return
    await sleep(100)
  }
  await service.stop()
  signal.throwIfAborted()
  throw new Error(`PostgreSQL was not ready within ${READY_MS / 1000} s:\n${service.tail()}`)
}
