import type { Document } from './document.js'
import { piecesOf } from './pieces.js'
import { sectionsOf } from './sections.js'

/** A part of a document that is found, read and cited as one. */
export interface Passage {
  /** `<document>#<page>`, as answers cite it. */
  readonly id: string
  readonly document: string
  /** Its place in the document, from 1. */
  readonly page: number
  /** The headings that it is under. */
  readonly title: string
  readonly text: string
}

/** With its frame a passage stays below the 2,000 characters at which an observation is cut. */
export const MAX_PASSAGE = 1_200

const MAX_TITLE = 120

// Badges, comments and layout: words that nobody means.
const NOISE = [
  /<!--.*?-->/gs,
  /\[?!\[[^\]]*\]\([^)]*\)(\]\([^)]*\))?/g,
  /<\/?(a|b|br|div|h[1-6]|img|p|picture|source|span|sub|sup)\b[^>]*>/gi,
]

/** Cuts a document into passages: at its headings, and below them where a text is too long for one. */
export function passagesOf({ id, text }: Document): Passage[] {
  const sections = sectionsOf(clean(text))
  const name = sections.find(({ headings }) => headings.length > 0)?.headings[0] ?? id
  return sections
    .flatMap(({ headings, text: body }) => {
      const title = titleOf(headings[0] === name ? headings : [name, ...headings])
      return piecesOf(body.trim(), MAX_PASSAGE).map((piece) => ({ title, text: piece.trim() }))
    })
    .filter((passage) => /\p{L}/u.test(passage.text))
    .map((passage, index) => ({
      id: `${id}#${index + 1}`,
      document: id,
      page: index + 1,
      ...passage,
    }))
}

function titleOf(headings: readonly string[]): string {
  const title = headings.join(' › ')
  return title.length <= MAX_TITLE ? title : `${title.slice(0, MAX_TITLE - 1).toWellFormed()}…`
}

function clean(text: string): string {
  // Control characters: PostgreSQL's text takes no NUL, and JSON writes each of them as six.
  const plain = text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .normalize('NFC')
  return NOISE.reduce((rest, noise) => rest.replaceAll(noise, ' '), plain).toWellFormed()
}
