import { parseArgs } from 'node:util'
import { SCENARIOS, type Suite } from './scenarios/index.js'
import type { Effort, Scenario } from './scenarios/scenario.js'

/** What `npm run bench` and `npm run bench:full` were asked for. */
export interface Options {
  readonly suite: Suite
  /** Those of the suite that are to be measured. */
  readonly scenarios: readonly Scenario[]
  readonly effort: Effort
  readonly json: boolean
  readonly check: boolean
  readonly write: boolean
  readonly peers: boolean
}

/** The text of `--help`. */
export const HELP = `npm run bench -- [options]        8 minutes at most: ${namesOf('short')}
npm run bench:full -- [options]   what takes longer: ${namesOf('long')}

  --only <scenario>  measures that one alone; may be given several times
  --quick            a minute's look whether all works; its figures are no measurement
  --json             one JSON document on stdout (npm run -s bench -- --json)
  --check            exit code 1 when a target is missed
  --write            writes this command's part of docs/benchmarks.md
  --without-peers    leaves out the stacks whose packages bench/peers must install
`

/** Reads the arguments; null when they ask for help. Throws a TypeError for what there is not. */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      long: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      'without-peers': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const { long, only, quick, json, check, write } = values
  if (quick && write) throw new TypeError('--quick is no measurement: leave out --write')
  if (only && write) throw new TypeError('--write is for all scenarios: leave out --only')
  const suite = long ? 'long' : 'short'
  return {
    suite,
    scenarios: chosen(suite, only),
    effort: quick ? 'quick' : 'full',
    json,
    check,
    write,
    peers: !values['without-peers'],
  }
}

function chosen(suite: Suite, only: readonly string[] | undefined): readonly Scenario[] {
  if (only === undefined) return SCENARIOS[suite]
  return only.map((wanted) => {
    const scenario = SCENARIOS[suite].find(({ name }) => name === wanted)
    if (scenario !== undefined) return scenario
    throw new TypeError(`no scenario "${wanted}" here; there are ${namesOf(suite)}`)
  })
}

function namesOf(suite: Suite): string {
  return SCENARIOS[suite].map(({ name }) => name).join(', ')
}
