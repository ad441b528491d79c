import { Argument, Command } from 'commander'
import type { JsonObject } from '../../contract/json.js'
import { devSession } from '../dev-session.js'
import { agentsOption, contextOption, jsonOption } from '../options.js'
import type { Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'

interface DevOptions {
  readonly agents: string
  readonly taskQueue?: string
  readonly context?: JsonObject
  readonly once?: boolean
  readonly json?: boolean
}

/** `perdure dev [agent] [input]` */
export function devCommand(terminal: Terminal): Command {
  return new Command('dev')
    .description('start a Temporal dev server and a worker; run an agent if one is named')
    .addArgument(new Argument('[agent]', 'name of the agent'))
    .addArgument(new Argument('[input]', 'what the user asks'))
    .addOption(agentsOption().makeOptionMandatory())
    .option('--task-queue <name>', 'task queue (default: PERDURE_TASK_QUEUE or "perdure")')
    .addOption(contextOption())
    .option('--once', 'stop everything after the run (the default where there is no terminal)')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The server: TEMPORAL_ADDRESS, else "temporal" on PATH, else one that is fetched into .perdure/, where
its data is kept too. Without an agent, server and worker stay up until Ctrl-C.`,
    )
    .action(async (agent: string | undefined, input: string | undefined, options: DevOptions) => {
      if (agent !== undefined && input === undefined) {
        throw new UsageError('dev: give the input for the agent as well, in quotes')
      }
      const { agents, taskQueue, context, json } = options
      process.exitCode = await devSession({
        agents,
        taskQueue,
        ...(agent === undefined || input === undefined ? {} : { run: { agent, input, context } }),
        once: agent !== undefined && (options.once === true || !process.stdin.isTTY),
        json: json === true,
        terminal,
      })
    })
}
