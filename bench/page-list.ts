import { pageText, type Task } from './workload.js'

/** What the stand-in says next: the pages of one step, or the answer. */
export type NextPages = { readonly pages: readonly number[] } | { readonly answer: string }

const QUESTION = /^Read these pages, (\d+) a step: ([\d ]+)$/

/** Reads the pages of a list in its order, so many calls a step. */
export function readList(name: string, pages: readonly number[], atOnce: number): Task {
  return {
    name,
    question: `Read these pages, ${atOnce} a step: ${pages.join(' ')}`,
    answer: answerOf(pages),
    steps: Math.ceil(pages.length / atOnce),
  }
}

/** The model for such a list; null for another question. Each observation must be that of its page. */
export function nextPages(question: string, observations: readonly string[]): NextPages | null {
  const [, atOnce, list] = QUESTION.exec(question) ?? []
  if (list === undefined) return null
  const pages = list.split(' ').map(Number)
  for (const [i, text] of observations.entries()) {
    if (text !== pageText(pages[i] ?? 0)) throw new Error(`observation ${i + 1} is another page's`)
  }
  const read = observations.length
  return read < pages.length
    ? { pages: pages.slice(read, read + Number(atOnce)) }
    : { answer: answerOf(pages) }
}

function answerOf(pages: readonly number[]): string {
  return `I read ${pages.length} pages of a list.`
}
