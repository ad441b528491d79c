import { type DatabaseSettings, settingsFromEnv } from '../database/database.js'
import { type LazyDatabase, lazyDatabase } from '../database/lazy-database.js'
import { createTables } from './schema.js'
import { seed } from './seed.js'

/** The shop's database, with tables and seed. */
export type Shop = LazyDatabase

/** A shop over the database of `settings`. @default the environment's, read when it is opened */
export function createShop(settings?: DatabaseSettings): Shop {
  return lazyDatabase({
    settings: () => settings ?? settingsFromEnv('after-sales'),
    schema: 'after_sales',
    lock: 1_001,
    prepare: async (sql) => {
      await createTables(sql)
      await seed(sql)
    },
  })
}
