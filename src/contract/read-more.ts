import type { JsonObject } from './json.js'
import type { ToolManifest } from './manifest.js'
import { errorText } from './observation.js'
import { headEnd } from './text.js'

/** The name of the built-in tool. */
export const READ_MORE = 'read_more'

/** Characters of one page, its first line aside: an observation has 2,000 at most. */
const PAGE_CHARS = 1_900

/** The built-in tool as the model sees it; offered once an observation was cut. */
export const READ_MORE_TOOL: ToolManifest = {
  name: READ_MORE,
  description:
    'Use when an earlier result was cut and the part that was left out is needed. Shows that part, page by page.',
  parameters: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'The id that stands where the result was cut.' },
      page: { type: ['integer', 'null'], description: 'The page, from 1. Null: the first.' },
    },
    required: ['id', 'page'],
    additionalProperties: false,
  },
  strict: true,
  activityType: READ_MORE,
  annotations: { readOnlyHint: true },
  timeoutMs: 30_000,
  maximumAttempts: 3,
  parallel: true,
  polling: false,
  volatileFields: [],
  sensitive: [],
}

/** What was left out of one observation. */
export interface Rest {
  readonly text: string
  /** Characters that were left out; more than `text` has where the end was dropped. */
  readonly chars: number
}

/** What `read_more` was asked for. */
export interface ReadMoreArgs {
  readonly id: string
  /** From 1. */
  readonly page: number
}

/** The arguments of a call of `read_more`, which were checked when the reply was read. */
export function readMoreArgs(args: JsonObject): ReadMoreArgs {
  const { id, page } = args
  return { id: typeof id === 'string' ? id : '', page: typeof page === 'number' ? page : 1 }
}

/** An answer of `read_more`. */
export interface Page {
  readonly text: string
  /** Set when there is no such page. */
  readonly error?: true
}

/** One page of what was left out. Pure: the workflow and the reader of histories answer the same. */
export function pageOf({ text, chars }: Rest, page: number): Page {
  const pages = Math.max(1, Math.ceil(text.length / PAGE_CHARS))
  if (!Number.isInteger(page) || page < 1 || page > pages) {
    const message = `There are pages 1 to ${pages}.`
    return {
      text: errorText({ error_type: 'invalid_arguments', message, retryable: false }),
      error: true,
    }
  }
  const end = page === pages ? text.length : headEnd(text, page * PAGE_CHARS)
  const start = page === 1 ? 0 : headEnd(text, (page - 1) * PAGE_CHARS)
  const dropped =
    page === pages && chars > text.length ? `; ${chars - text.length} more were not kept` : ''
  return {
    text: `[page ${page} of ${pages} of what was left out${dropped}]\n${text.slice(start, end)}`,
  }
}

/** For an id that no cut observation has, or no longer. */
export const NO_REST = errorText({
  error_type: 'invalid_arguments',
  message:
    'Nothing is kept under this id. Use an id that stands where a result was cut, or call the tool again.',
  retryable: false,
})
