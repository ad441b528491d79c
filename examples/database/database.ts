import { resolve } from 'node:path'

/** Runs SQL with `$1` parameters; the same text for the embedded database and for a server. */
export interface Sql {
  query<T extends object>(sql: string, params?: readonly unknown[]): Promise<T[]>
}

/** An open PostgreSQL database, embedded or on a server. */
export interface Database extends Sql {
  readonly kind: 'embedded' | 'server'
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects.
   *
   * **Contract:** `work` uses only the `Sql` that it is given; the embedded database has one connection,
   * so a query on the database itself would wait for the transaction that waits for it.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Where the data is. */
export interface DatabaseSettings {
  /** A PostgreSQL server, as `postgres://user:password@host:5432/name`. @default embedded, in `dir` */
  readonly url?: string | undefined
  /** Folder of the embedded database, created on demand. */
  readonly dir: string
}

/** The settings of this process: `DATABASE_URL`, or the folder `name` in `PERDURE_DIR` (`.perdure`). */
export function settingsFromEnv(
  name: string,
  env: NodeJS.ProcessEnv = process.env,
): DatabaseSettings {
  return {
    url: env['DATABASE_URL'] || undefined,
    dir: resolve(env['PERDURE_DIR'] || '.perdure', name),
  }
}

/** The settings in words, for whoever starts an example. */
export function placeOf({ url, dir }: DatabaseSettings): string {
  return url === undefined ? `embedded PostgreSQL (PGlite) in ${dir}` : 'DATABASE_URL'
}

/**
 * Opens the database; names without a schema mean tables of `schema`. Embedded: 3 to 5 s the first time (it creates a cluster), 0.5 s after that; one
 * process at a time, so it waits up to 15 s for another one to end.
 *
 * @throws Error when another process keeps the folder, or the server does not answer within 5 s
 */
export async function openDatabase(
  { url, dir }: DatabaseSettings,
  schema: string,
): Promise<Database> {
  // Imported on demand: a process that only starts runs loads neither 20 MB of WebAssembly nor pg.
  if (url !== undefined) {
    const { openServer } = await import('./server-database.js')
    return openServer(url, schema)
  }
  const { openEmbedded } = await import('./embedded-database.js')
  return openEmbedded(dir, schema)
}
