import Table from 'cli-table3'
import { Command, Option } from 'commander'
import { AgentClient } from '../../client/agent-client.js'
import type { ListedRun, ListOptions } from '../../client/list-runs.js'
import type { RunStatusName } from '../../client/run-handle.js'
import { probeAttributes } from '../../client/search-attributes/probe-attributes.js'
import { dollars } from '../../contract/price.js'
import { counted, seconds } from '../figures.js'
import { type ListTotals, listTotals } from '../list-totals.js'
import {
  connectOptions,
  jsonOption,
  positiveInteger,
  type ServerOptions,
  sinceOption,
  withServerOptions,
} from '../options.js'
import { json, line, styled, type Terminal } from '../terminal.js'

interface ListCommandOptions extends ServerOptions {
  readonly agent?: string
  readonly status?: RunStatusName
  readonly reason?: string
  readonly waiting?: boolean
  readonly model?: string
  readonly since?: Date
  readonly query?: string
  readonly limit: number
  readonly json?: boolean
}

const STATUSES: readonly RunStatusName[] = [
  'running',
  'completed',
  'failed',
  'cancelled',
  'terminated',
  'timed_out',
]
/** Search attributes that the columns of the list are made of. */
const COLUMNS = new Set<string>([
  'PerdureModel',
  'PerdureStopReason',
  'PerdureSteps',
  'PerdureTokens',
  'PerdureCostUsd',
])

/** `perdure list` */
export function listCommand({ out, err }: Terminal): Command {
  return withServerOptions(new Command('list'))
    .description('list runs and sessions, the newest first, with tokens and cost')
    .option('--agent <name>', 'runs of this agent only')
    .addOption(new Option('--status <status>', 'runs with this status only').choices(STATUSES))
    .option('--reason <reason>', 'runs that ended so: max_steps, model_error, cancelled …')
    .option('--waiting', 'only what waits for a person: approvals and questions')
    .option('--model <name>', "runs of agents whose first model is this one, by the workers' names")
    .addOption(sinceOption())
    .option('--query <filter>', 'further condition, a Temporal list filter: "PerdureSteps > 5"')
    .option('--limit <n>', 'runs at most', positiveInteger, 20)
    .addOption(jsonOption())
    .action(async (options: ListCommandOptions) => {
      const client = await AgentClient.connect(connectOptions(options))
      try {
        const { runs, isAll } = await take(client, options)
        const missing = await missingColumns(client)
        const totals = listTotals(runs)
        if (options.json) return json(out, { runs, isAll, totals, missing })
        line(out, runs.length === 0 ? 'no runs' : table(runs))
        if (runs.length > 0) line(out, sentence(totals, isAll))
        if (missing.length > 0) line(err, styled(err, 'yellow', missingText(missing)))
      } finally {
        await client.close()
      }
    })
}

async function take(
  client: AgentClient,
  options: ListCommandOptions,
): Promise<{ readonly runs: readonly ListedRun[]; readonly isAll: boolean }> {
  const runs: ListedRun[] = []
  for await (const run of client.list(filterOf(options))) {
    if (runs.length === options.limit) return { runs, isAll: false }
    runs.push(run)
  }
  return { runs, isAll: true }
}

function filterOf({
  agent,
  status,
  reason,
  waiting,
  model,
  since,
  query,
}: ListCommandOptions): ListOptions {
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(status === undefined ? {} : { status }),
    ...(reason === undefined ? {} : { stopReason: reason }),
    ...(waiting === undefined ? {} : { waiting }),
    ...(model === undefined ? {} : { model }),
    ...(since === undefined ? {} : { since }),
    ...(query === undefined ? {} : { query }),
  }
}

/** Search attributes that the namespace does not have, so that their columns stay empty. */
async function missingColumns({ client }: AgentClient): Promise<readonly string[]> {
  const { workflowService, options } = client
  // A server that does not tell is no reason to fail: the columns are empty then.
  const states = await probeAttributes(workflowService, options.namespace).catch(() => [])
  return states.flatMap(({ name, status }) =>
    status !== 'there' && COLUMNS.has(name) ? [name] : [],
  )
}

function missingText(missing: readonly string[]): string {
  return `This namespace lacks ${missing.join(', ')}: what they would tell is left out. perdure setup registers them, for the runs of workers that start after it.`
}

function sentence(totals: ListTotals, isAll: boolean): string {
  const { runs, tokens, costUsd, runsWithTokens, runsWithCost } = totals
  const what = isAll
    ? counted(runs, 'run')
    : `the newest ${counted(runs, 'run')} (there are more: --limit)`
  const used = [
    ...(runsWithTokens === 0 ? [] : [`${tokens} tokens${ofSome(runsWithTokens, runs)}`]),
    ...(runsWithCost === 0 ? [] : [`${dollars(costUsd)}${ofSome(runsWithCost, runs)}`]),
  ]
  return `Together, over ${what}: ${used.length === 0 ? 'tokens and cost unknown' : used.join(' · ')}`
}

/** Open runs, and those whose models have no price, tell nothing. */
function ofSome(some: number, all: number): string {
  return some === all ? '' : ` (known of ${some})`
}

function table(runs: readonly ListedRun[]): string {
  const rows = new Table({
    head: [
      ...['id', 'agent', 'model', 'status', 'stop reason'],
      ...['steps', 'tokens', 'cost', 'started', 'time'],
    ],
    colAligns: [
      ...(['left', 'left', 'left', 'left', 'left'] as const),
      ...(['right', 'right', 'right', 'left', 'right'] as const),
    ],
    // Styles would put colour codes into pipes and CI logs.
    style: { head: [], border: [] },
  })
  for (const { id, agent, kind, model, status, stopReason, ...run } of runs) {
    const { steps, tokens, costUsd, startedAt, closedAt, waitingFor } = run
    rows.push([
      ...[id, kind === 'session' ? `${agent} (session)` : agent, model ?? ''],
      ...[waitingFor === undefined ? status : `waits for ${waitingFor}`, stopReason ?? ''],
      ...[steps ?? '', tokens ?? '', costUsd === undefined ? '' : dollars(costUsd)],
      startedAt.toISOString(),
      closedAt ? seconds(closedAt.getTime() - startedAt.getTime()) : '',
    ])
  }
  return rows.toString()
}
