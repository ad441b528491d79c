import type { Sql } from '../../database/database.js'
import { snippetOf } from './snippet.js'
import { folded, wordsOf } from './words.js'

/** One page of what a search found, the best first. */
export interface Found {
  /** Passages that hold a word of the query, on all pages. */
  readonly total: number
  readonly page: number
  /** Null on the last page. */
  readonly nextPage: number | null
  readonly passages: readonly {
    readonly id: string
    readonly title: string
    readonly snippet: string
  }[]
}

/** Passages on a page: five of them stay below the 2,000 characters of an observation. */
const PAGE_SIZE = 5

/** A question has fewer; more would only make the search slow. */
const MAX_WORDS = 32

// Each word is asked for as it is and by its English and German stem. A rare word counts more than a
// common one, a passage with more of the words more than one that says a word often.
const SEARCH = `
  WITH asked AS (
    SELECT word, plainto_tsquery('simple', folded) || plainto_tsquery('english', word) ||
                   plainto_tsquery('german', word) AS query,
           to_tsvector('english', word) = '' OR to_tsvector('german', word) = '' AS stop
      FROM jsonb_to_recordset($1::text::jsonb) AS row (word text, folded text)
  ), matched AS (
    SELECT id, ts_rank(words, query) AS rank, count(*) OVER (PARTITION BY word) AS passages
      FROM asked JOIN passages ON words @@ query
     WHERE NOT stop OR NOT EXISTS (SELECT 1 FROM asked WHERE NOT stop)
  ), scored AS (
    SELECT id, sum(ln(1 + total.passages::float8 / matched.passages) * (1 + rank)) AS score
      FROM matched, (SELECT count(*) AS passages FROM passages) AS total
     GROUP BY id
  )
  SELECT (SELECT count(*)::int4 FROM scored) AS total,
         coalesce(json_agg(hit ORDER BY score DESC, id), '[]') AS hits
    FROM (SELECT id, title, body, score
            FROM scored JOIN passages USING (id)
           ORDER BY score DESC, id
           LIMIT $2 OFFSET $3) AS hit`

interface Hit {
  readonly id: string
  readonly title: string
  readonly body: string
}

/**
 * Searches the passages for the words of a query. Whatever the query is, it is words: nothing in it is
 * SQL or an operator, and without a word nothing is found.
 */
export async function search(sql: Sql, query: string, page: number): Promise<Found> {
  const words = [...new Set(wordsOf(query))].slice(0, MAX_WORDS)
  const asked = words.map((word) => ({ word, folded: folded(word) }))
  const offset = (page - 1) * PAGE_SIZE
  const [row] = await sql.query<{ total: number; hits: readonly Hit[] }>(SEARCH, [
    JSON.stringify(asked),
    PAGE_SIZE,
    offset,
  ])
  const { total, hits } = row ?? { total: 0, hits: [] }
  return {
    total,
    page,
    nextPage: offset + PAGE_SIZE < total ? page + 1 : null,
    passages: hits.map(({ id, title, body }) => ({ id, title, snippet: snippetOf(body, words) })),
  }
}
