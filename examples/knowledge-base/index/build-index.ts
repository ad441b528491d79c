import { createHash } from 'node:crypto'
import type { Sql } from '../../database/database.js'
import type { Document } from '../corpus/document.js'
import { type Passage, passagesOf } from '../corpus/passages.js'
import { createTables } from './schema.js'
import { folded, wordsOf } from './words.js'

/** How {@link buildIndex} goes about it. */
export interface BuildOptions {
  /** Reads the documents; not called when the index is kept. */
  readonly corpus: () => readonly Document[]
  /** An index of other documents: made anew, or kept as it is. */
  readonly whenChanged: 'rebuild' | 'keep'
  /** Told how far it is. */
  readonly log: (text: string) => void
}

// Raise it when passages or words are made in another way: the digest then tells old indexes.
const FORMAT = 1

const BATCH = 250

/** Fills the index, in the caller's transaction: readers see the old one until it is done. */
export async function buildIndex(sql: Sql, options: BuildOptions): Promise<void> {
  const { corpus, whenChanged, log } = options
  await createTables(sql)
  const [index] = await sql.query<{ digest: string }>('SELECT digest FROM knowledge_base.corpus')
  if (index !== undefined && whenChanged === 'keep') return
  const documents = corpus()
  const digest = digestOf(documents)
  if (index?.digest === digest) return
  const started = performance.now()
  const passages = documents.flatMap(passagesOf)
  await sql.query('DELETE FROM knowledge_base.passages')
  for (let from = 0; from < passages.length; from += BATCH) {
    await insert(sql, passages.slice(from, from + BATCH))
    log(`${Math.min(from + BATCH, passages.length)} of ${passages.length} passages`)
  }
  await sql.query(
    `INSERT INTO knowledge_base.corpus (digest) VALUES ($1)
     ON CONFLICT (only_row) DO UPDATE SET digest = excluded.digest`,
    [digest],
  )
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  log(`${passages.length} passages of ${documents.length} documents in ${seconds} s`)
}

function digestOf(documents: readonly Document[]): string {
  const hash = createHash('sha256').update(`${FORMAT}`)
  for (const { id, text } of documents) hash.update(JSON.stringify([id, text]))
  return hash.digest('hex')
}

// Titles count four times as much as texts (weights B and D of ts_rank).
async function insert(sql: Sql, passages: readonly Passage[]): Promise<void> {
  const rows = passages.map((passage) => ({
    ...passage,
    ...spelled('title', passage.title),
    ...spelled('body', passage.text),
  }))
  await sql.query(
    `INSERT INTO knowledge_base.passages (id, document, page, title, body, words)
     SELECT id, document, page, title, text,
            setweight(${vector('title')}, 'B') || setweight(${vector('body')}, 'D')
       FROM jsonb_to_recordset($1::text::jsonb) AS row
            (id text, document text, page int4, title text, text text,
             title_words text, title_folded text, body_words text, body_folded text)`,
    [JSON.stringify(rows)],
  )
}

function spelled(name: string, text: string) {
  const words = wordsOf(text)
  return { [`${name}_words`]: words.join(' '), [`${name}_folded`]: words.map(folded).join(' ') }
}

/** Words as they are, which is all for Chinese, and their English and German stems. */
function vector(name: 'title' | 'body'): string {
  return `to_tsvector('simple', ${name}_folded) ||
          to_tsvector('english', ${name}_words) || to_tsvector('german', ${name}_words)`
}
