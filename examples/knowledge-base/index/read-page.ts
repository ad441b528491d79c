import type { Sql } from '../../database/database.js'

/** A passage with its place in the document. */
export interface Page {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly page: number
  /** Passages of the document. */
  readonly pages: number
  /** The id of the passage after this one; null at the end of the document. */
  readonly nextPage: string | null
}

const READ = `
  SELECT id, title, body AS text, page,
         (SELECT count(*)::int4 FROM passages AS all_pages
           WHERE all_pages.document = passages.document) AS pages,
         (SELECT id FROM passages AS next
           WHERE next.document = passages.document AND next.page = passages.page + 1) AS "nextPage"
    FROM passages
   WHERE document = $1 AND page = $2`

/** The passage of that id; a document without a number means its first one. Undefined: there is none. */
export async function readPage(sql: Sql, id: string): Promise<Page | undefined> {
  const [, document = '', page = '1'] = /^([^\0#]+)(?:#(\d{1,6}))?$/.exec(id.trim()) ?? []
  const [found] = await sql.query<Page>(READ, [document, Number(page)])
  return found
}
