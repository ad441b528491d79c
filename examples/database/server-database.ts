import pg from 'pg'
import type { Database, Sql } from './database.js'

/**
 * A PostgreSQL server. Each example keeps to a schema of its own, so that it may share a database with
 * the others, and with tables named `orders`.
 *
 * @throws Error when the server does not answer within 5 s
 */
export async function openServer(url: string, schema: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    options: `-c search_path=${schema}`,
    max: 5,
    connectionTimeoutMillis: 5_000,
    // Below the tools' own time-out, so that no statement goes on after its call was given up.
    statement_timeout: 10_000,
  })
  // Without a listener, a server that restarts would end this process; the next query connects anew.
  pool.on('error', (error) => process.stderr.write(`database ${schema}: ${error.message}\n`))
  try {
    await pool.query('SELECT 1')
  } catch (error) {
    await pool.end()
    throw new Error('The PostgreSQL server of DATABASE_URL does not answer.', { cause: error })
  }
  return {
    kind: 'server',
    query: over(pool).query,
    transaction: (work) => inTransaction(pool, work),
    close: () => pool.end(),
  }
}

async function inTransaction<T>(pool: pg.Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken = false
  try {
    await client.query('BEGIN')
    const result = await work(over(client))
    await client.query('COMMIT')
    return result
  } catch (error) {
    // A connection that cannot even roll back is closed, and the server rolls back by itself.
    await client.query('ROLLBACK').catch(() => {
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}

function over(connection: pg.Pool | pg.PoolClient): Sql {
  return {
    query: async <T extends object>(sql: string, params: readonly unknown[] = []) => {
      const { rows } = await connection.query<T>(sql, [...params])
      return rows
    },
  }
}
