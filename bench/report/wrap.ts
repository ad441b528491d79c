/** Characters of a line of the documentation at most. */
const WIDTH = 130

/** Breaks a paragraph into lines; `indent` stands before each but the first. */
export function wrap(text: string, indent = ''): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length > WIDTH && line !== '') {
      lines.push(line)
      line = indent + word
    } else {
      line = longer
    }
  }
  return [...lines, line].join('\n')
}
