// The one task that every stack does: read so many pages by a tool, one a step, then answer. Imports
// no package: the peers, with packages of their own, use it too.
import { notes } from './worker-notes.js'

/** Characters of each observation. */
const OBSERVATION_CHARS = 1_000

/** The system message. */
export const INSTRUCTIONS =
  'You read the pages of a book one by one and then say how many you read.'

/** The tool, as the model is told of it. */
export const TOOL_DESCRIPTION = 'Use to read one page of the book. Needs its number, from 1.'

/** What a run is asked, and what it must answer. */
export interface Task {
  /** A word for its workflow id. */
  readonly name: string
  readonly question: string
  readonly answer: string
  /** Model calls with tool calls: the one that answers comes on top. */
  readonly steps: number
}

/** Reads so many pages, one a step. */
export function readPages(steps: number): Task {
  const question = `Read the first ${steps} pages.`
  return { name: `${steps}`, question, answer: answerOf(steps), steps }
}

/** The observation of one page: 1,000 characters, different for each page. */
export function pageText(page: number): string {
  return `Page ${page}: `.padEnd(OBSERVATION_CHARS, 'the quick brown fox jumps over the lazy dog. ')
}

/** What the stand-in says next: a page to read, or the answer. */
export type NextMove = { readonly page: number } | { readonly answer: string }

/**
 * The model, in all stacks: takes no time and looks at nothing but what it needs, the question and the
 * observations of the prompt that it got. An observation that is missing or wrong ends the benchmark.
 */
export function nextMove(question: string, observations: readonly string[]): NextMove {
  return moveAfter(question, observations.at(-1), observations.length)
}

/** The same for a prompt whose older part was left out: its newest observation tells how far the run is. */
export function nextMoveOfPart(question: string, observations: readonly string[]): NextMove {
  const last = observations.at(-1)
  return moveAfter(question, last, last === undefined ? 0 : Number(/^Page (\d+)/.exec(last)?.[1]))
}

function moveAfter(question: string, last: string | undefined, read: number): NextMove {
  const steps = Number(/\d+/.exec(question)?.[0])
  if (last !== undefined && last !== pageText(read)) {
    throw new Error(`the prompt does not end with page ${read}`)
  }
  if (read >= steps) return { answer: answerOf(steps) }
  notes.lastPage = read + 1
  return { page: read + 1 }
}

/** The answer of a run that went well. */
function answerOf(steps: number): string {
  return `I read ${steps} pages.`
}
