// The one task that every stack does: read so many pages by a tool, one a step, then answer. Imports
// nothing: the peers, with packages of their own, use it too.

/** Characters of each observation. */
const OBSERVATION_CHARS = 1_000

/** The system message. */
export const INSTRUCTIONS =
  'You read the pages of a book one by one and then say how many you read.'

/** The tool, as the model is told of it. */
export const TOOL_DESCRIPTION = 'Use to read one page of the book. Needs its number, from 1.'

/** The question of a run that takes `steps` tool calls. */
export function questionFor(steps: number): string {
  return `Read the first ${steps} pages.`
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
  const steps = Number(/\d+/.exec(question)?.[0])
  const last = observations.at(-1)
  if (last !== undefined && last !== pageText(observations.length)) {
    throw new Error(`the prompt does not end with page ${observations.length}`)
  }
  return observations.length < steps
    ? { page: observations.length + 1 }
    : { answer: answerOf(steps) }
}

/** The answer of a run that went well. */
export function answerOf(steps: number): string {
  return `I read ${steps} pages.`
}
