import type { Machine, Results } from '../results.js'
import type { Suite } from '../scenarios/index.js'
import { tables } from './tables.js'
import { wrap } from './wrap.js'

/** The command that measures a suite. */
const COMMANDS: Readonly<Record<Suite, string>> = {
  short: 'npm run bench',
  long: 'npm run bench:full',
}

/** What one command found, with its heading and between its marks. */
export function part(suite: Suite, results: Results): string {
  const { date, seconds, perdure, machine, failed } = results
  const told = `Made by \`${COMMANDS[suite]} -- --write\` on ${date.slice(0, 10)}, perdure ${perdure}, in ${Math.ceil(seconds / 60)} minutes, on ${describe(machine)}.`
  const broken = failed.map(({ name, error }) => `**${name} failed**: ${error}`)
  return inMarks(suite, [heading(suite), wrap(told), ...broken, tables(results)].join('\n\n'))
}

/** The part of a suite as a page has it; where there is none, a word in its place. */
export function partOf(suite: Suite, page: string): string {
  const [begin, end] = marks(suite)
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from >= 0 && to > from) return page.slice(from, to + end.length)
  const empty = `Not measured yet: \`${COMMANDS[suite]} -- --write\`.`
  return inMarks(suite, `${heading(suite)}\n\n${empty}`)
}

function heading(suite: Suite): string {
  return suite === 'short' ? '## Steps, history, memory' : '## Long and many runs, workers'
}

function inMarks(suite: Suite, text: string): string {
  const [begin, end] = marks(suite)
  return `${begin}\n\n${text}\n\n${end}`
}

function marks(suite: Suite): readonly [string, string] {
  return [`<!-- ${COMMANDS[suite]}: begin -->`, `<!-- ${COMMANDS[suite]}: end -->`]
}

function describe(facts: Machine): string {
  const { cores, memoryGB, platform, node, temporalServer, temporalSdk, loadBefore } = facts
  const load = `load ${loadBefore.toFixed(1)} before the start`
  return `${cores} cores, ${memoryGB} GB, ${platform}, Node.js ${node}, Temporal server ${temporalServer}, SDK ${temporalSdk}, ${load}`
}
