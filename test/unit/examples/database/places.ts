import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { DatabaseSettings } from '../../../../examples/database/database.js'

/** Where a test's database lives, and how to remove it. */
export interface TestPlace {
  readonly settings: DatabaseSettings
  remove(): Promise<void>
}

/** A fresh folder for the embedded database; its first opening takes 2 to 3 s. */
export async function embeddedPlace(): Promise<TestPlace> {
  const root = await mkdtemp(join(tmpdir(), 'perdure-example-'))
  return {
    settings: { dir: join(root, 'database') },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

/** A fresh database on the server of `PERDURE_TEST_DATABASE_URL`. */
async function serverPlace(server: string): Promise<TestPlace> {
  const name = `perdure_example_test_${process.pid}_${performance.now().toFixed(0)}`
  await asAdmin(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    settings: { url: url.href, dir: 'unused' },
    remove: () => asAdmin(server, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}

/** The databases that the examples' tools run against: name and maker. */
export const places: readonly (readonly [string, () => Promise<TestPlace>])[] = [
  ['embedded', embeddedPlace],
  ...serverPlaces(),
]

function serverPlaces(): [string, () => Promise<TestPlace>][] {
  const server = process.env['PERDURE_TEST_DATABASE_URL']
  if (server) return [['server', () => serverPlace(server)]]
  console.info('the examples on a PostgreSQL server: skipped, PERDURE_TEST_DATABASE_URL is not set')
  return []
}

async function asAdmin(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}
