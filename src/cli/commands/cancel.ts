import { Argument, Command } from 'commander'
import { AgentClient } from '../../client/agent-client.js'
import { EXIT } from '../exit-codes.js'
import { connectOptions, jsonOption, type ServerOptions, withServerOptions } from '../options.js'
import { json, line, type Terminal } from '../terminal.js'

interface CancelOptions extends ServerOptions {
  readonly json?: boolean
}

/** `perdure cancel <id>` */
export function cancelCommand({ out, err }: Terminal): Command {
  return withServerOptions(new Command('cancel'))
    .description('ask a run to end; calls under way are aborted')
    .addArgument(new Argument('<id>', 'workflow id of the run'))
    .addOption(jsonOption())
    .action(async (id: string, options: CancelOptions) => {
      const client = await AgentClient.connect(connectOptions(options))
      try {
        const run = client.get(id)
        const { status } = await run.status()
        if (status !== 'running') {
          if (options.json) json(out, { id, status })
          else line(err, `run ${id} has ended already: ${status}`)
          process.exitCode = status === 'cancelled' ? EXIT.answered : EXIT.failed
          return
        }
        await run.cancel()
        if (options.json) json(out, { id, status: 'cancel_requested' })
        else line(out, `run ${id} was asked to end`)
      } finally {
        await client.close()
      }
    })
}
