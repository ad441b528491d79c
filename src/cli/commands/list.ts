import Table from 'cli-table3'
import { Command } from 'commander'
import { AgentClient } from '../../client/agent-client.js'
import type { ListedRun } from '../../client/list-runs.js'
import {
  connectOptions,
  jsonOption,
  positiveInteger,
  type ServerOptions,
  withServerOptions,
} from '../options.js'
import { json, line, type Terminal } from '../terminal.js'

interface ListCommandOptions extends ServerOptions {
  readonly agent?: string
  readonly query?: string
  readonly limit: number
  readonly json?: boolean
}

/** `perdure list` */
export function listCommand({ out }: Terminal): Command {
  return withServerOptions(new Command('list'))
    .description('list runs, the newest first')
    .option('--agent <name>', 'runs of this agent only')
    .option('--query <filter>', `Temporal list filter, such as "PerdureStopReason = 'max_steps'"`)
    .option('--limit <n>', 'runs at most', positiveInteger, 20)
    .addOption(jsonOption())
    .action(async (options: ListCommandOptions) => {
      const client = await AgentClient.connect(connectOptions(options))
      try {
        const runs = await take(client, options)
        if (options.json) json(out, runs)
        else line(out, runs.length === 0 ? 'no runs' : table(runs))
      } finally {
        await client.close()
      }
    })
}

async function take(
  client: AgentClient,
  { agent, query, limit }: ListCommandOptions,
): Promise<ListedRun[]> {
  const filter = {
    ...(agent === undefined ? {} : { agent }),
    ...(query === undefined ? {} : { query }),
  }
  const runs: ListedRun[] = []
  for await (const run of client.list(filter)) {
    runs.push(run)
    if (runs.length === limit) break
  }
  return runs
}

function table(runs: readonly ListedRun[]): string {
  const rows = new Table({
    head: ['id', 'agent', 'status', 'stop reason', 'started', 'seconds'],
    // Styles would put colour codes into pipes and CI logs.
    style: { head: [], border: [] },
  })
  for (const { id, agent, status, stopReason, startedAt, closedAt } of runs) {
    const seconds = closedAt ? ((closedAt.getTime() - startedAt.getTime()) / 1000).toFixed(1) : ''
    rows.push([id, agent, status, stopReason ?? '', startedAt.toISOString(), seconds])
  }
  return rows.toString()
}
