import { type Database, type DatabaseSettings, openDatabase, settingsFromEnv } from './database.js'
import { createTables } from './schema.js'
import { seed } from './seed.js'

/** The shop's database, opened at its first use. Tools take it as their one dependency. */
export interface Shop {
  /** The open database, with tables and seed. A failure is not kept: the next call tries again. */
  database(): Promise<Database>
  /** Closes the database when it is open; the next use would open it anew. */
  close(): Promise<void>
}

// Any number, the same in every process that seeds.
const SEED_LOCK = 1_001

/** A shop over the database of `settings`. @default the environment's, read when it is opened */
export function createShop(settings?: DatabaseSettings): Shop {
  let opening: Promise<Database> | undefined
  return {
    database: () => {
      opening ??= open(settings ?? settingsFromEnv()).catch((error: unknown) => {
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

async function open(settings: DatabaseSettings): Promise<Database> {
  const database = await openDatabase(settings)
  try {
    await database.transaction(async (sql) => {
      await sql.query('SELECT pg_advisory_xact_lock($1)', [SEED_LOCK])
      await createTables(sql)
      await seed(sql)
    })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
