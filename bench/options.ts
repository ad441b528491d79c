import { parseArgs } from 'node:util'
import type { Effort } from './scenarios/scenario.js'

/** What `npm run bench` was asked for. */
export interface Options {
  readonly effort: Effort
  readonly json: boolean
  readonly check: boolean
  readonly write: boolean
  readonly peers: boolean
}

/** The text of `--help`. */
export const HELP = `npm run bench -- [options]

  --quick           a minute's look whether all works; its figures are no measurement
  --json            one JSON document on stdout (npm run -s bench -- --json)
  --check           exit code 1 when a target is missed
  --write           writes docs/benchmarks.md
  --without-peers   leaves out the stacks whose packages bench/peers must install
`

/** Reads the arguments; null when they ask for help. Throws a TypeError for what there is not. */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      'without-peers': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const { quick, json, check, write } = values
  if (quick && write) throw new TypeError('--quick is no measurement: leave out --write')
  return { effort: quick ? 'quick' : 'full', json, check, write, peers: !values['without-peers'] }
}
