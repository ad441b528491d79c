import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import type { Database, Sql } from './database.js'
import { lockFolder } from './folder-lock.js'

/**
 * PostgreSQL inside of this process (PGlite), with its files in `dir`. It does not guard its folder, and
 * two processes in it lose each other's writes: hence the lock.
 *
 * @throws Error when another process keeps the folder
 */
export async function openEmbedded(dir: string, schema: string): Promise<Database> {
  const unlock = await lockFolder(dir)
  try {
    if (!existsSync(join(dir, 'PG_VERSION'))) await createCluster(dir)
    const pg = await PGlite.create(dir)
    // The name of a schema cannot be a parameter; it comes from the example's code, never from input.
    await pg.query(`SET search_path TO ${schema}`)
    return {
      kind: 'embedded',
      query: over(pg).query,
      transaction: (work) => pg.transaction((tx) => work(over(tx))),
      close: async () => {
        await pg.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Creates the files in a thread of its own. It blocks its thread for seconds; in this one that would
 * hold up the heartbeats of every activity, and Temporal would take this process for dead.
 */
async function createCluster(dir: string): Promise<void> {
  const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const source = `
    const { pglite, dir } = require('node:worker_threads').workerData
    require(pglite).PGlite.create(dir).then((pg) => pg.close())`
  await once(new Worker(source, { eval: true, workerData: { pglite, dir } }), 'exit')
}

function over(connection: Pick<PGlite, 'query'>): Sql {
  return {
    query: async <T extends object>(sql: string, params: readonly unknown[] = []) => {
      const { rows } = await connection.query<T>(sql, [...params])
      return rows
    },
  }
}
