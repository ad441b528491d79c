/** The text below one heading. */
export interface Section {
  /** The headings that it is under, the outermost first; none before the first heading. */
  readonly headings: readonly string[]
  readonly text: string
}

const FENCE = /^\s*(```|~~~)/
const HEADING = /^(#{1,6})\s+(.+?)\s*#*\s*$/
/** A line of `=` or `-` makes the line above it a heading; so do plain READMEs too. */
const UNDERLINE = /^(={3,}|-{3,})\s*$/

/** Cuts a text at its headings, code blocks left out. Joined again, nothing but headings is missing. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = []
  let headings: { readonly level: number; readonly title: string }[] = []
  let body: string[] = []
  let fenced = false
  const lines = text.split('\n')
  const close = (level: number, title: string) => {
    sections.push({ headings: headings.map((heading) => heading.title), text: body.join('\n') })
    headings = [...headings.filter((heading) => heading.level < level), { level, title }]
    body = []
  }
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (FENCE.test(line)) fenced = !fenced
    const heading = fenced ? null : headingAt(line, lines[index + 1] ?? '')
    if (heading === null) {
      body.push(line)
      continue
    }
    close(heading.level, heading.title)
    index += heading.lines - 1
  }
  sections.push({ headings: headings.map(({ title }) => title), text: body.join('\n') })
  return sections.filter((section) => section.text.trim() !== '')
}

function headingAt(line: string, next: string) {
  const [, marks = '', title = ''] = HEADING.exec(line) ?? []
  if (marks !== '') return { level: marks.length, title, lines: 1 }
  // A table, a list or an indented line is none.
  if (!UNDERLINE.test(next) || !/^[^\s|>*+-].{0,99}$/.test(line)) return null
  return { level: next.startsWith('=') ? 1 : 2, title: line.trim(), lines: 2 }
}
