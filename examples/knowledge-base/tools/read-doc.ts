import { z } from 'zod'
import { defineTool, ToolError } from '../../../src/index.js'
import { readPage } from '../index/read-page.js'
import type { KnowledgeBase } from '../knowledge-base.js'

/** Reads a document, a passage at a time. */
export function readDoc(knowledgeBase: KnowledgeBase) {
  return defineTool({
    name: 'read_doc',
    description:
      'Use after search_docs, before you answer from a passage: gives its whole text. nextPage has the id of the passage that follows it in the document.',
    input: z.object({
      id: z.string().describe('The id of a passage, such as perdure/docs/tools.md#3.'),
    }),
    annotations: { readOnlyHint: true },
    timeout: '20s',
    execute: async ({ id }) => {
      const page = await readPage(await knowledgeBase.database(), id)
      if (page !== undefined) return page
      throw new ToolError(`There is no passage ${id.slice(0, 100)}. Take an id from search_docs.`)
    },
  })
}
