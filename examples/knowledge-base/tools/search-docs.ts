import { z } from 'zod'
import { defineTool } from '../../../src/index.js'
import { search } from '../index/search.js'
import type { KnowledgeBase } from '../knowledge-base.js'

/** Finds passages, a page at a time. */
export function searchDocs(knowledgeBase: KnowledgeBase) {
  return defineTool({
    name: 'search_docs',
    description:
      'Use first, for anything that documents may say: the rules of the shop, how perdure, its packages and this machine work. Gives titles and beginnings of passages, the best first; read_doc has the text. One search for each thing that you need to know.',
    input: z.object({
      query: z
        .string()
        .describe('The few words that the passage would have, in the language of the documents.'),
      page: z
        .int()
        .min(1)
        .max(1_000)
        .nullable()
        .describe('nextPage of the page before; null for the first.'),
    }),
    annotations: { readOnlyHint: true },
    timeout: '20s',
    execute: async ({ query, page }) => {
      const found = await search(await knowledgeBase.database(), query, page ?? 1)
      return found.total > 0 ? found : { ...found, hint: NOTHING }
    },
  })
}

const NOTHING =
  'No passage has any of these words. Try other words, or those of another language (English, German, Chinese).'
