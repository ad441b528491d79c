import type { Sql } from '../../database/database.js'

const TABLES = [
  `CREATE SCHEMA IF NOT EXISTS knowledge_base`,
  `CREATE TABLE IF NOT EXISTS knowledge_base.passages (
     id       text PRIMARY KEY,
     document text NOT NULL,
     page     int4 NOT NULL,
     title    text NOT NULL,
     body     text NOT NULL,
     words    tsvector NOT NULL,
     UNIQUE (document, page)
   )`,
  `CREATE INDEX IF NOT EXISTS passages_words ON knowledge_base.passages USING gin (words)`,
  // One row: what the passages were made of.
  `CREATE TABLE IF NOT EXISTS knowledge_base.corpus (
     only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
     digest   text NOT NULL
   )`,
]

/** Creates what is missing. Call it under a lock: `IF NOT EXISTS` alone fails when two do it at once. */
export async function createTables(sql: Sql): Promise<void> {
  for (const statement of TABLES) await sql.query(statement)
}
