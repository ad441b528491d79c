// npm run bench: what perdure costs beside a bare workflow and other agent stacks on Temporal.
import { writeFile } from 'node:fs/promises'
import { benchmark } from './benchmark.js'
import { installPeers } from './install-peers.js'
import { HELP, type Options, readOptions } from './options.js'
import { page } from './report/page.js'
import { tables } from './report/tables.js'
import { OWN_STACKS, PEER_STACKS } from './stacks/index.js'

const PAGE = new URL('../docs/benchmarks.md', import.meta.url)

async function main(options: Options): Promise<number> {
  const { effort, json, check, write, peers } = options
  const log = (line: string) => process.stderr.write(`${line}\n`)
  if (peers) await installPeers(log)
  const stacks = peers ? [...OWN_STACKS, ...PEER_STACKS] : OWN_STACKS
  const results = await benchmark({ stacks, effort, log })
  if (write) await writeFile(PAGE, page(results))
  process.stdout.write(json ? `${JSON.stringify(results, null, 2)}\n` : `${tables(results)}\n`)
  const missed = results.targets.filter(({ verdict }) => verdict === 'missed')
  for (const { what, limit, value } of missed) log(`missed: ${what}: ${value}, ${limit}`)
  return check && missed.length > 0 ? 1 : 0
}

function optionsOrExit(): Options {
  try {
    const options = readOptions(process.argv.slice(2))
    if (options !== null) return options
    process.stdout.write(HELP)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${HELP}`)
    process.exit(2)
  }
}

process.exitCode = await main(optionsOrExit())
