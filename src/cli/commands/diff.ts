import { Argument, Command } from 'commander'
import { AgentClient } from '../../client/agent-client.js'
import { connectOptions, jsonOption, type ServerOptions, withServerOptions } from '../options.js'
import { printDiff } from '../print-diff.js'
import { json, type Terminal } from '../terminal.js'

interface DiffOptions extends ServerOptions {
  readonly json?: boolean
}

/** `perdure diff <id> <id>` */
export function diffCommand({ out }: Terminal): Command {
  return withServerOptions(new Command('diff'))
    .description('two runs side by side, step by step: calls, answers, tokens, cost, time')
    .addArgument(new Argument('<a>', 'workflow id of a run'))
    .addArgument(new Argument('<b>', 'workflow id of another, such as a fork of the first'))
    .addOption(jsonOption())
    .action(async (a: string, b: string, options: DiffOptions) => {
      const client = await AgentClient.connect(connectOptions(options))
      try {
        const diff = await client.diff(a, b)
        if (options.json) json(out, diff)
        else printDiff(out, diff)
      } finally {
        await client.close()
      }
    })
}
