import { Argument, Command } from 'commander'
import { AgentClient } from '../../client/agent-client.js'
import { confirm } from '../confirm.js'
import { EXIT } from '../exit-codes.js'
import { followRun } from '../follow-run.js'
import {
  connectOptions,
  jsonOption,
  positiveInteger,
  type ServerOptions,
  withServerOptions,
} from '../options.js'
import { printPlan } from '../print-plan.js'
import { type ManyRetried, planMany, printSummary, retryMany } from '../retry-many.js'
import { json, line, type Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'

interface RetryOptions extends ServerOptions {
  readonly query?: string
  readonly limit: number
  readonly yes?: boolean
  readonly dryRun?: boolean
  readonly detach?: boolean
  readonly json?: boolean
}

/** `perdure retry <id>` */
export function retryCommand(terminal: Terminal): Command {
  return withServerOptions(new Command('retry'))
    .description('go on from where a failed run failed; what was finished is not done again')
    .addArgument(new Argument('[id]', 'workflow id of the run'))
    .option('--query <filter>', 'retry many: failed runs that fit a Temporal list filter')
    .option('--limit <n>', 'runs at most, with --query', positiveInteger, 100)
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only tell what would be made again')
    .option('--detach', 'do not wait for the end')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The run is reset to the workflow task that scheduled the failed call: finished calls of the model and of
tools are neither paid nor done again, and what is made again keeps its idempotency keys. Limits cannot be
raised so: perdure fork <id> --limits … can.

Exit code: 0 answered (with --query or --detach: retried) · 3 completed with another stop reason
· 1 failed again, or not all could be retried · 2 bad call, or a run that a retry cannot mend`,
    )
    .action(async (id: string | undefined, options: RetryOptions) => {
      if ((id === undefined) === (options.query === undefined)) {
        throw new UsageError('Name one run, or many with --query <filter>.')
      }
      const client = await AgentClient.connect(connectOptions(options))
      try {
        process.exitCode =
          id === undefined
            ? await retryByQuery(client, options, terminal)
            : await retryOne(client, id, { options, terminal })
      } finally {
        await client.close()
      }
    })
}

async function retryOne(
  client: AgentClient,
  id: string,
  { options, terminal }: { readonly options: RetryOptions; readonly terminal: Terminal },
): Promise<number> {
  const plan = await client.planRetry(id)
  if (options.dryRun && options.json) json(terminal.out, plan)
  else if (!options.json) printPlan(options.dryRun ? terminal.out : terminal.err, plan)
  if (options.dryRun) return EXIT.answered
  if (!options.yes && !(await confirm('Retry?', terminal))) return EXIT.usage
  const run = await client.retry(id, plan)
  if (!options.detach) return await followRun(run, terminal, { json: options.json === true })
  if (options.json) json(terminal.out, { id, url: run.url })
  else line(terminal.out, id)
  return EXIT.answered
}

async function retryByQuery(
  client: AgentClient,
  options: RetryOptions,
  terminal: Terminal,
): Promise<number> {
  const { query = '', limit } = options
  const found = await planMany(client, { query, limit })
  if (!options.json) printSummary(options.dryRun ? terminal.out : terminal.err, found)
  const { length } = found.plans
  if (options.dryRun) {
    if (options.json) json(terminal.out, found)
    return EXIT.answered
  }
  const question = `Retry ${length === 1 ? 'this run' : `these ${length} runs`}?`
  if (length > 0 && !options.yes && !(await confirm(question, terminal))) return EXIT.usage
  const done = await retryMany(client, found)
  if (options.json) json(terminal.out, done)
  else printRetried(terminal, done)
  return done.refused.length === 0 ? EXIT.answered : EXIT.failed
}

function printRetried({ out, err }: Terminal, { retried, refused }: ManyRetried): void {
  for (const { id, message } of refused) line(err, `not retried: ${id}: ${message}`)
  line(out, `${retried.length} retried, ${refused.length} not`)
}
