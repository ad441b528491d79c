/** Places of one stack that are told. */
const MAX_PLACES = 3

/** A line of a stack: `at name (file:line:column)`, or without a name. */
const FRAME = /^\s*at (?:.*\()?(.+?):(\d+)(?::\d+)?\)?$/

/** The places in workflow code of a stack trace, `file:line`, the innermost first. */
export function codePlaces(stack: string): string[] {
  const places = stack.split('\n').flatMap((line) => {
    const [, file, row] = FRAME.exec(line) ?? []
    if (file === undefined || isForeign(file)) return []
    return [`${shortName(file)}:${row}`]
  })
  return [...new Set(places)].slice(0, MAX_PLACES)
}

/** Of the SDK, of Node, or of what traces. */
function isForeign(file: string): boolean {
  return /node_modules\/@temporalio\/|^node:|workflow-bundle|trace-commands|<anonymous>/.test(file)
}

/** Perdure's files as in its repository, others from the current folder. */
function shortName(file: string): string {
  const own = /(?:^|\/)((?:src|dist)\/(?:agent|contract|workflows)\/.+)$/.exec(file)?.[1]
  const here = `${process.cwd()}/`
  return own ?? (file.startsWith(here) ? file.slice(here.length) : file)
}
