import { Argument, Command } from 'commander'
import { AgentClient } from '../../client/agent-client.js'
import type { RunHandle } from '../../client/run-handle.js'
import type { StartOptions } from '../../client/start-run.js'
import type { JsonObject } from '../../contract/json.js'
import { followRun } from '../follow-run.js'
import { loadAgents } from '../load-agents.js'
import {
  agentsOption,
  connectOptions,
  contextOption,
  jsonOption,
  positiveInteger,
  type ServerOptions,
  withServerOptions,
} from '../options.js'
import { startSpareWorker } from '../spare-worker.js'
import { line, type Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'

interface RunOptions extends ServerOptions {
  readonly agents?: string
  readonly context?: JsonObject
  readonly id?: string
  readonly new?: boolean
  readonly priority?: number
  readonly fairnessKey?: string
  readonly detach?: boolean
  readonly json?: boolean
}

/** `perdure run <agent> <input>` */
export function runCommand(terminal: Terminal): Command {
  return withServerOptions(new Command('run'))
    .description('start a run of an agent and show its steps until it ends')
    .addArgument(new Argument('<agent>', 'name of the agent'))
    .addArgument(new Argument('<input>', 'what the user asks'))
    .addOption(agentsOption())
    .addOption(contextOption())
    .option('--id <id>', 'workflow id: the same id starts one run only, and attaches to it')
    .option('--new', 'start a new run although a closed one has the id')
    .option('--priority <n>', "Temporal's priority key, 1 is first", positiveInteger)
    .option('--fairness-key <key>', "Temporal's fairness key, such as a tenant")
    .option('--detach', 'start the run, print its id and do not wait for it')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A worker must poll the task queue (perdure worker, perdure dev). With --agents, a run that no worker
takes is worked by this process until it ends.

Exit code: 0 answered · 3 completed with another stop reason · 1 failed or cancelled · 2 bad call`,
    )
    .action(async (agent: string, input: string, options: RunOptions) => {
      process.exitCode = await run(agent, input, { options, terminal })
    })
}

async function run(
  name: string,
  input: string,
  { options, terminal }: { readonly options: RunOptions; readonly terminal: Terminal },
): Promise<number> {
  const agents = options.agents === undefined ? [] : await loadAgents(options.agents)
  const agent = agents.find((known) => known.name === name)
  if (options.agents !== undefined && agent === undefined) {
    const names = agents.map((known) => known.name).join(', ')
    throw new UsageError(`${options.agents} has no agent "${name}". Its agents: ${names}.`)
  }
  const client = await AgentClient.connect(connectOptions(options))
  try {
    const run = await client.start(agent ?? name, startOptions(input, options))
    if (options.detach) {
      line(terminal.out, options.json ? JSON.stringify({ id: run.id, url: run.url }) : run.id)
      return 0
    }
    if (!options.json) line(terminal.err, `run ${run.id}${run.attached ? ' (attached)' : ''}`)
    const worker = connectOptions(options)
    const log = (text: string) => line(terminal.err, text)
    const spare = startSpareWorker({
      client,
      run: { id: run.id, isWorked: () => isWorked(run) },
      agents,
      worker,
      log,
    })
    try {
      const following = followRun(run, terminal, { json: options.json === true })
      return await Promise.race([following, spare.failed])
    } finally {
      await spare.stop()
    }
  } finally {
    await client.close()
  }
}

async function isWorked(run: RunHandle): Promise<boolean> {
  const { status, progress } = await run.status()
  return status !== 'running' || progress !== null
}

function startOptions(input: string, options: RunOptions): StartOptions {
  const { context, id, priority, fairnessKey } = options
  return {
    input,
    onExisting: options.new ? 'new' : 'attach',
    ...(context === undefined ? {} : { context }),
    ...(id === undefined ? {} : { id }),
    ...(priority === undefined ? {} : { priority }),
    ...(fairnessKey === undefined ? {} : { fairnessKey }),
  }
}
