// npm run bench, npm run bench:full: what perdure costs beside a bare workflow and other agent stacks.
import { readFile, writeFile } from 'node:fs/promises'
import { benchmark } from './benchmark.js'
import { build } from './build.js'
import { installPeers } from './install-peers.js'
import { HELP, type Options, readOptions } from './options.js'
import { page } from './report/page.js'
import { tables } from './report/tables.js'

const PAGE = new URL('../docs/benchmarks.md', import.meta.url)

async function main(options: Options): Promise<number> {
  const { suite, scenarios, effort, json, check, write, peers } = options
  const log = (line: string) => process.stderr.write(`${line}\n`)
  await build(log)
  if (peers) await installPeers(log)
  const results = await benchmark({ scenarios, hasPeers: peers, effort, log })
  if (write) await writeFile(PAGE, page(suite, results, await readFile(PAGE, 'utf8')))
  process.stdout.write(json ? `${JSON.stringify(results, null, 2)}\n` : `${tables(results)}\n`)
  log(`${results.seconds} s`)
  const missed = results.targets.filter(({ verdict }) => verdict === 'missed')
  for (const { what, limit, value } of missed) log(`missed: ${what}: ${value}, ${limit}`)
  for (const { name, error } of results.failed) log(`failed: ${name}: ${error}`)
  return results.failed.length > 0 || (check && missed.length > 0) ? 1 : 0
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
