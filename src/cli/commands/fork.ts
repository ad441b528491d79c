import { readFile } from 'node:fs/promises'
import { Argument, Command } from 'commander'
import { AgentClient } from '../../client/agent-client.js'
import { changesInWords, type ForkOptions } from '../../client/fork/fork-options.js'
import type { Limits } from '../../contract/manifest.js'
import { EXIT } from '../exit-codes.js'
import { followRun } from '../follow-run.js'
import { limitsArgument, observationArgument } from '../fork-options.js'
import {
  connectOptions,
  jsonOption,
  positiveInteger,
  type ServerOptions,
  withServerOptions,
} from '../options.js'
import { line, type Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'

interface ForkCommandOptions extends ServerOptions {
  readonly step?: number
  readonly model?: string
  readonly instructions?: string
  readonly input?: string
  readonly observation?: Readonly<Record<string, string>>
  readonly limits?: Partial<Limits>
  readonly live?: boolean
  readonly id?: string
  readonly detach?: boolean
  readonly json?: boolean
}

/** `perdure fork <id>` */
export function forkCommand(terminal: Terminal): Command {
  return withServerOptions(new Command('fork'))
    .description('start a new run from any step of another one, with something changed')
    .addArgument(new Argument('<id>', 'workflow id of the run'))
    .option('--step <n>', 'begin before this step (default: that of the failure)', positiveInteger)
    .option('--model <name>', 'another model')
    .option('--instructions <file>', 'other instructions')
    .option('--input <text>', 'another question')
    .option('--observation <step.call=text>', 'another result for a call', observationArgument)
    .option('--limits <name=value,…>', 'other limits', limitsArgument)
    .option('--live', 'run tools that write, too')
    .option('--id <id>', "workflow id of the fork (default: the run's id and a random part)")
    .option('--detach', 'start the fork, print its id and do not wait for it')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The steps before are neither paid nor done again. Tools that are not read-only are not run unless --live is
given: a call that the first run made gets the result that it had there, any other is told so.
Limits: max-steps, max-tokens, max-cost-usd, deadline, such as max-steps=20,deadline=10m.

Exit code: 0 answered · 3 completed with another stop reason · 1 failed or cancelled · 2 bad call`,
    )
    .action(async (id: string, options: ForkCommandOptions) => {
      const client = await AgentClient.connect(connectOptions(options))
      try {
        process.exitCode = await fork(client, id, { options, terminal })
      } finally {
        await client.close()
      }
    })
}

async function fork(
  client: AgentClient,
  id: string,
  { options, terminal }: { readonly options: ForkCommandOptions; readonly terminal: Terminal },
): Promise<number> {
  const given = await forkOptions(options)
  const run = await client.fork(id, given)
  if (options.detach) {
    line(terminal.out, options.json ? JSON.stringify({ id: run.id, url: run.url }) : run.id)
    return EXIT.answered
  }
  if (!options.json) {
    const changes = changesInWords(given).join(', ')
    line(terminal.err, `run ${run.id}, a fork of ${id}${changes === '' ? '' : `: ${changes}`}`)
  }
  return await followRun(run, terminal, { json: options.json === true })
}

async function forkOptions(options: ForkCommandOptions): Promise<ForkOptions> {
  const { step, model, instructions, input, observation: observations, limits, live, id } = options
  return {
    ...(step === undefined ? {} : { step }),
    ...(model === undefined ? {} : { model }),
    ...(instructions === undefined ? {} : { instructions: await text(instructions) }),
    ...(input === undefined ? {} : { input }),
    ...(observations === undefined ? {} : { observations }),
    ...(limits === undefined ? {} : { limits }),
    ...(live === undefined ? {} : { live }),
    ...(id === undefined ? {} : { id }),
  }
}

async function text(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`The instructions cannot be read: ${why}`, { cause: error })
  }
}
