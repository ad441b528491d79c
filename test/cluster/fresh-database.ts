import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** A new database of the role `shop`, so that no test sees the refunds of another; resolves to its URL. */
export async function freshDatabase(place: {
  readonly postgresUrl: string
  readonly shopUrl: string
}): Promise<string> {
  const name = `shop_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: `${place.postgresUrl}/postgres` })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${name} OWNER shop`)
  } finally {
    await client.end()
  }
  return place.shopUrl.replace(/\/shop$/, `/${name}`)
}
