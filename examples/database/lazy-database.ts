import { type Database, type DatabaseSettings, openDatabase, type Sql } from './database.js'

/** A database that is opened at its first use. Tools take it as their one dependency. */
export interface LazyDatabase {
  /** The open database, prepared. A failure is not kept: the next call tries again. */
  database(): Promise<Database>
  /** Closes the database when it is open; the next use would open it anew. */
  close(): Promise<void>
}

/** What {@link lazyDatabase} opens. */
export interface LazyDatabaseOptions {
  /** Where it is; asked when it is opened. */
  readonly settings: () => DatabaseSettings
  /** The schema that its tables are in. */
  readonly schema: string
  /** Any number, the same in every process that prepares this schema. */
  readonly lock: number
  /**
   * Creates what is missing, in one transaction.
   *
   * **Contract:** runs at each opening, in one process at a time, so it finds its own work.
   */
  prepare(sql: Sql): Promise<void>
}

/** A database that is opened and prepared when it is first asked for. Making it touches no disk. */
export function lazyDatabase(options: LazyDatabaseOptions): LazyDatabase {
  let opening: Promise<Database> | undefined
  return {
    database: () => {
      opening ??= open(options).catch((error: unknown) => {
        opening = undefined
        throw error
      })
      return opening
    },
    close: async () => {
      const open = opening
      opening = undefined
      const database = await open?.catch(() => undefined)
      await database?.close()
    },
  }
}

async function open({ settings, schema, lock, prepare }: LazyDatabaseOptions): Promise<Database> {
  const database = await openDatabase(settings(), schema)
  try {
    await database.transaction(async (sql) => {
      await sql.query('SELECT pg_advisory_xact_lock($1)', [lock])
      await prepare(sql)
    })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
