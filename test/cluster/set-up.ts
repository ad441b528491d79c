import { join } from 'node:path'
import { serverConfig } from '../../src/config.js'
import { findServer } from '../../src/server/find-server.js'
import { LOOPBACK } from '../../src/server/ports.js'
import { deployFile } from './deploy-file.js'
import type { Postgres } from './postgres.js'
import { run } from './run.js'
import type { TemporalBuild } from './temporal-build.js'

/** Environment variables of a service of the compose file. */
type Environment = Readonly<Record<string, string>>

/** What both steps of the set-up take. */
interface SetUp {
  /** The environment of the compose file's service. */
  readonly environment: Environment
  readonly signal: AbortSignal
}

/** Makes the databases of the server and the example's, by the scripts of the compose file. */
export async function makeDatabases(
  { build, postgres }: { readonly build: TemporalBuild; readonly postgres: Postgres },
  { environment, signal }: SetUp,
): Promise<void> {
  const { port, bin } = postgres
  const schema = {
    ...environment,
    SQL_HOST: LOOPBACK,
    SQL_PORT: String(port),
    SQL_TOOL: build.sqlTool,
    SCHEMA_DIR: join(build.source, 'schema', 'postgresql', 'v12'),
  }
  await twice(() => run('sh', [deployFile('setup-schema.sh')], { env: schema, signal }))
  const shop = {
    ...environment,
    PATH: `${bin}:${serverConfig().path}`,
    PGHOST: LOOPBACK,
    PGPORT: String(port),
    PGPASSWORD: environment['SQL_PASSWORD'] ?? '',
  }
  await run('sh', [deployFile('create-shop.sh')], { env: shop, signal })
}

/** Makes the namespace and its search attributes, by the script of the compose file. */
export async function makeNamespace(
  address: string,
  { environment, signal }: SetUp,
): Promise<void> {
  const { path, dir } = serverConfig()
  const cli = await findServer({ path, dir })
  if (cli.kind !== 'binary') throw new Error('There is no Temporal CLI.')
  const env = { ...environment, TEMPORAL_ADDRESS: address, TEMPORAL_CLI: cli.path }
  await twice(() => run('sh', [deployFile('setup-namespace.sh')], { env, signal }))
}

/** A second `docker compose up` runs a step again. */
async function twice(step: () => Promise<unknown>): Promise<void> {
  await step()
  await step()
}
