import Table from 'cli-table3'
import type { RunDiff, StepPair } from '../client/diff/diff-runs.js'
import type { OutlinedStep, RunOutline } from '../client/diff/run-outline.js'
import { dollars } from '../contract/price.js'
import { shorten } from '../contract/text.js'
import { callText } from './call-text.js'
import { counted, seconds } from './figures.js'
import { line, styled } from './terminal.js'

/** Columns where the stream is no terminal. */
const WIDTH = 120
/** The column of the step numbers, and the borders. */
const FIXED = 10
/** Characters of a text or an observation in one cell. */
const TEXT_CHARS = 300

/** Prints two runs side by side: a row a step, and where they diverge. */
export function printDiff(stream: NodeJS.WriteStream, { a, b, steps, divergesAt }: RunDiff): void {
  const width = Math.max(20, Math.floor(((stream.columns || WIDTH) - FIXED) / 2))
  const table = new Table({
    head: ['step', title(a), title(b)],
    colWidths: [6, width, width],
    wordWrap: true,
    wrapOnWordBoundary: false,
    // Styles would put colour codes into pipes and CI logs.
    style: { head: [], border: [] },
  })
  for (const pair of steps) table.push(row(pair))
  table.push(['all', totals(a), totals(b)])
  line(stream, table.toString())
  const verdict =
    divergesAt === null
      ? `no difference in ${counted(steps.length, 'step')}`
      : `they diverge at step ${divergesAt}`
  line(stream, styled(stream, divergesAt === null ? 'green' : 'yellow', verdict))
}

function title({ id, forkedFrom, changes }: RunOutline): string {
  if (forkedFrom === null) return id
  const what = changes.length === 0 ? '' : `: ${changes.join(', ')}`
  return `${id}\nfork of ${forkedFrom.id} before step ${forkedFrom.step}${what}`
}

function row({ step, same, a, b }: StepPair): [string, string, string] {
  return [same ? `${step}` : `≠ ${step}`, cell(a), same ? sameAs(b) : cell(b)]
}

function cell(step: OutlinedStep | null): string {
  if (step === null) return '–'
  const { calls, text, forced, status } = step
  const label = status === 'failed' ? 'model call failed: ' : forced ? 'forced answer: ' : ''
  const said = text.trim() === '' ? [] : [`${label}${oneLine(text)}`]
  const made = calls.flatMap(({ name, args, observation }) => [
    callText(name, args),
    `→ ${oneLine(observation)}`,
  ])
  return [...said, ...made, figures(step)].join('\n')
}

/** A step that is the same has its own time and tokens all the same. */
function sameAs(step: OutlinedStep | null): string {
  if (step === null) return '–'
  return step.inherited ? 'the same, of the run that was forked' : `the same\n${figures(step)}`
}

function figures({ model, tokens, costUsd, ms }: OutlinedStep): string {
  return [model, tokensText(tokens), ...money(costUsd), seconds(ms)].join(' · ')
}

function totals({ status, steps, tokens, costUsd, ms }: RunOutline): string {
  const inherited = steps.filter((step) => step.inherited).length
  const of = inherited === 0 ? '' : ` and ${inherited} inherited`
  return [
    status,
    `${counted(steps.length - inherited, 'step')}${of} · ${tokensText(tokens)}`,
    [...money(costUsd), seconds(ms)].join(' · '),
  ].join('\n')
}

function tokensText(tokens: number | null): string {
  return tokens === null ? 'tokens unknown' : counted(tokens, 'token')
}

function money(costUsd: number | null): string[] {
  return costUsd === null ? [] : [dollars(costUsd)]
}

function oneLine(text: string): string {
  return shorten(text.replace(/\s+/g, ' ').trim(), TEXT_CHARS)
}
